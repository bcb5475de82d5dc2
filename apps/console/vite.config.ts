import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../dist/apps/console',
    emptyOutDir: true,
    // the content security policy allows no data: URLs for fonts and scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // few files: libraries, and what most pages share; charts, QR codes and the list of zones load with
        // the pages that need them
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](?!uplot|uqr|@fontsource)/ },
            { name: 'shared', test: /console[\\/]src[\\/](api|time|ui)[\\/](?!chart|TokenOnce|ZoneSelect)/ },
          ],
        },
      },
      // "use client" concerns server rendering, which is not used
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
