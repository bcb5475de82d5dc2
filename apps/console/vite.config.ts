import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../dist/apps/console',
    emptyOutDir: true,
    // the content security policy knows no data: for fonts and scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // few files: what changes seldom, and what most pages share; charts, QR codes and the names of all
        // zones come with their pages
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](?!uplot|uqr|@fontsource)/ },
            { name: 'shared', test: /console[\\/]src[\\/](api|time|ui)[\\/](?!chart|TokenOnce|all-zones)/ },
          ],
        },
      },
      // "use client" speaks to servers that render React; there is none here
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
