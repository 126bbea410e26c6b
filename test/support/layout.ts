import { compileLayout } from '#core/content/layout.ts';
import type { Layout, NewLayout } from '#shared/look.ts';

export const compiled = (source: string, kind: NewLayout['kind'] = 'html'): Promise<Layout> =>
  compileLayout(7, { kind, source });

/** A page that has each part once, between elements with its name. `body` stands before them. */
export const layoutWith = (body = '') =>
  `<!doctype html>\n<html><head></head><body>${body}${[
    'preheader',
    'pre_cta_content',
    'cta',
    'after_cta_content',
    'footer',
  ]
    .map(slot => `<div class="of-${slot}">{{${slot}}}</div>`)
    .join('')}</body></html>`;
