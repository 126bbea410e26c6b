import type { Plugin } from 'vite';

const FONT = /inter-latin-wght-normal.*\.woff2$/;

/** Preloads the font, which browsers otherwise request only after the stylesheet. */
export function preloadFont(): Plugin {
  let base = '/';
  return {
    name: 'preload-font',
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const fonts = Object.keys(bundle).filter(file => FONT.test(file));
        return fonts.map(file => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: base + file },
        }));
      },
    },
  };
}
