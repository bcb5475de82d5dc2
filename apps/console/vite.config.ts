import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../dist/apps/console',
    emptyOutDir: true,
    // the content security policy allows no data: URLs for fonts and scripts
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // what changes seldom is a file of its own; charts load when they are shown
        codeSplitting: {
          groups: [{ name: 'vendor', test: /node_modules[\\/](?!uplot|@fontsource)/ }],
        },
      },
      // "use client" concerns server rendering, which is not used
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
