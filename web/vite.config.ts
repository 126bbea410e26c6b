import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { help } from './plugins/help.ts';
import { preloadFont } from './plugins/preload-font.ts';
import { prerender } from './plugins/prerender.ts';
import { prettyPaths } from './plugins/pretty-paths.ts';
import { reference } from './plugins/reference.ts';

export default defineConfig({
  root: import.meta.dirname,
  appType: 'mpa',
  plugins: [react(), help(), prerender(), preloadFont(), reference(), prettyPaths()],
  // shared/ and node_modules/ are outside of the root.
  server: { fs: { allow: ['..'] } },
  build: {
    // These browsers support light-dark(); for older ones Vite would write every colour twice.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    // A page that imports a constant of shared/ leaves out the schemas beside it, and zod with them.
    rolldownOptions: { treeshake: { manualPureFunctions: ['z'] } },
  },
});
