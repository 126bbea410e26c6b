import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadFont } from './plugins/preload-font.ts';
import { prerender } from './plugins/prerender.ts';
import { prettyPaths } from './plugins/pretty-paths.ts';

export default defineConfig({
  root: import.meta.dirname,
  appType: 'mpa',
  plugins: [react(), prerender(), preloadFont(), prettyPaths()],
  // The shared contract and the packages lie beside the pages.
  server: { fs: { allow: ['..'] } },
  build: {
    // light-dark() carries both themes; older browsers would need every colour twice.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
});
