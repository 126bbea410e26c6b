import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUDGETS, measureSizes } from '../../web/sizes.ts';

const WEB = 'dist/web';
const KB = 1024;
const { login, base, packages, pages, files, parts } = measureSizes();

const page = (name: string) => readFileSync(join(WEB, name), 'utf8');
const scriptsOf = (html: string) =>
  [...html.matchAll(/<script[^>]*src="\/([^"]+)"/g)].map(([, src = '']) => src);

it.each(['terms-and-conditions.html', 'privacy-policy.html'])('%s needs no script', name => {
  expect(page(name)).not.toMatch(/<script/);
  expect(page(name)).not.toMatch(/modulepreload/);
});

it('the public home page loads at most 1 KB, which hands over to the app', () => {
  expect(scriptsOf(page('index.html'))).toEqual(['handover.js']);
  expect(page('index.html')).not.toMatch(/modulepreload/);
  expect(readFileSync(join(WEB, 'handover.js')).length).toBeLessThanOrEqual(KB);
});

it('no page carries an inline script, which the content security policy would refuse', () => {
  for (const name of ['index', 'login', 'app', 'terms-and-conditions', 'privacy-policy']) {
    expect(page(`${name}.html`)).not.toMatch(/<script(?![^>]*\bsrc=)/);
  }
});

it('/login loads at most 120 KB', () => {
  expect(login).toBeLessThanOrEqual(BUDGETS.login);
});

it('every page of the app loads the same 200 KB at most, none of them for forms, dialogs, menus or toasts', () => {
  expect(base).toBeLessThanOrEqual(BUDGETS.base);
  expect(packages.map(([name]) => name)).not.toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^(zod|react-hook-form|@hookform|dompurify|@zag-js\/(toast|dialog|menu|combobox)$)/,
      ),
    ]),
  );
});

it.each(Object.entries(pages))('%s can be used after at most 220 KB in 15 files', (name, size) => {
  expect(size).toBeLessThanOrEqual(BUDGETS.page);
  expect(files[name]).toBeLessThanOrEqual(BUDGETS.files);
});

it.each(Object.entries(parts))('%s is loaded on demand, and adds at most 66 KB', (_, size) => {
  expect(size).toBeLessThanOrEqual(BUDGETS.part);
});

it('what few visits need is loaded on demand', () => {
  expect(Object.keys(parts)).toEqual(
    expect.arrayContaining(
      `components/chart.tsx components/command-palette.tsx components/confirm-content.tsx
  components/logo-upload.tsx components/menu-content.tsx components/modal-dialog.tsx
  components/range-calendar.tsx components/toaster.tsx components/tooltip-content.tsx
  features/legal/terms-overlay.tsx features/organization/invite-dialog.tsx
  features/organization/new-organization-dialog.tsx features/report/value-dialog.tsx
  features/token/new-token-dialog.tsx app/palette-commands.tsx
  features/automation/forecast.tsx features/automation/simulation-dialog.tsx
  features/content/edit-template-form.tsx
  features/content/transfer-ownership-dialog.tsx features/content/content-form.tsx
  features/content/links-editor.tsx
  entities/email/email-preview.tsx entities/email/preview-dialog.tsx features/list/edit-list.tsx
  features/list/list-form.tsx features/list/example-dialog.tsx
  features/list-member/metadata-dialog.tsx`.split(/\s+/),
    ),
  );
});
