import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { DEFAULT_LOOK, PRESETS } from '#shared/email/look.ts';
import { LAYOUT_EXAMPLES } from '#shared/layout-examples.ts';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import { list, organization } from '../support/components/examples.ts';
import { button, field, heading, isGone, leadsTo, press, says, shows } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { LOOK } from '../support/look.ts';
import { proof } from '../support/proof.ts';

const openList = (answers: Answers = {}) =>
  open('/email-lists/l1/look', {
    'GET /api/email-lists': [list],
    'GET /api/email-lists/{list}': list,
    'GET /api/email-lists/{list}/look': { look: null, inherited: LOOK },
    'PUT /api/email-lists/{list}/look': ({ body }) => ({ ...(body as { look: null }), inherited: LOOK }),
    ...answers,
  });

const { label: _, ...classic } = PRESETS.classic;

const preview = () => page.getByTitle('Email preview');
/** The email as it is shown. */
const shown = () => preview().element().getAttribute('srcdoc') ?? '';
const previews = (text: string) => expect.poll(shown).toContain(text);

it('a list shows the design of its organization, begins its own with it, and goes back to it', async () => {
  const { api } = openList();
  await shows(heading(`Email design of ${list.name}`));
  await previews('bgcolor="#1d4ed8"');
  await leadsTo('Change the organization’s design', '/access-control/email-design');
  await press('A design of its own');
  await expect.element(field('Postal address')).toHaveValue(LOOK.address);
  await press('Classic');
  await expect.element(button('Classic')).toHaveAttribute('aria-pressed', 'true');
  await press('Save');
  await says('Email design saved. The next emails have it.');
  await press('The organization’s design');
  await isGone(field('Postal address'));
  await press('Save');
  await expect.poll(() => api.changes().length).toBe(2);
  const bodies = api.changes().map(({ body }) => body);
  expect(bodies).toMatchObject([{ look: { ...LOOK, ...classic } }, { look: null }]);
});

proof(
  'what cannot be read or does not lead anywhere is said at its field, and the preview keeps the last design',
  async () => {
    const { api } = openList();
    await press('A design of its own');
    const color = page.getByRole('textbox', { name: 'Color of the button and of links' });
    await color.fill('#b91c1c');
    await previews('bgcolor="#b91c1c"');
    await color.fill('#facc15');
    await says('The button’s text would be hard to read on this color. Choose a darker one, or dark text.');
    expect(shown()).toContain('bgcolor="#b91c1c"');
    await field('Text of the button').selectOptions('Dark');
    await previews('bgcolor="#facc15"');
    await press('Add a link');
    await page.getByRole('textbox', { name: 'Link text' }).nth(1).fill('Help');
    await press('Save');
    await says('Enter a link that begins with https://');
    expect(api.changes()).toEqual([]);
    await press('Remove link 2');
    await press('Dark');
    await expect.poll(shown).toContain('(min-width:0)');
  },
);

it('the organization has plain emails until it is given a design', async () => {
  const { api } = open('/access-control/email-design', {
    'GET /api/email-lists': [list],
    'GET /api/look': { look: null },
    'PUT /api/look': ({ body }) => body as { look: null },
  });
  await says('Emails are plain: without a logo, with a black button.');
  await previews('bgcolor="#1c1917"');
  await press('A design');
  await press('Save');
  await says('Email design saved. The next emails have it.');
  expect(api.changes().map(({ body }) => body)).toEqual([{ look: { ...DEFAULT_LOOK, layout: null } }]);
});

proof('a design that was not loaded is loaded after a retry, and a viewer cannot change it', async () => {
  const { api } = openList({
    'GET /api/organizations': [{ ...organization, role: 'VIEWER' }],
    'GET /api/email-lists/{list}/look': DOWN,
  });
  await says('Failed to load the email design');
  api.answer({ 'GET /api/email-lists/{list}/look': { look: LOOK, inherited: null } });
  await press('Try again');
  await says('You can look at this design, but not change it.');
  await expect.element(field('Postal address')).toBeDisabled();
  await isGone(button('Save'));
  await isGone(button('Plain emails'));
});

it('a layout of one’s own is checked while it is written, shown, saved, and left after a question', async () => {
  const faults = ['Put {{cta}} where the button goes.', 'Put {{footer}} at the end.'];
  const { api } = openList({
    'GET /api/email-lists/{list}/look': { look: LOOK, inherited: null },
    'POST /api/layout-check': ({ body }) => {
      const { kind, source } = body as { kind: 'html'; source: string };
      return source.includes('{{cta}}')
        ? { kind, source, html: source }
        : refusal(422, faults[0], { layout: faults });
    },
  });
  await press('HTML');
  await press('Begin with an example');
  await expect.element(field('HTML')).toHaveValue(LAYOUT_EXAMPLES.html);
  await previews('Your company');
  expect(shown()).toContain('Track the parcel');
  await isGone(field('Frame'));
  await expect.element(button('{{cta}}')).toBeDisabled();

  await field('HTML').fill('<html>');
  await says(/Put {{footer}} at the end/);
  expect(shown()).toContain('Your company');
  await press('{{cta}}');
  await expect.element(field('HTML')).toHaveValue('<html>{{cta}}');
  await isGone(page.getByText(/Put {{footer}} at the end/));
  await press('Save');
  await says('Email design saved. The next emails have it.');

  await press('Standard');
  await press('Cancel');
  await expect.element(field('HTML')).toHaveValue('<html>{{cta}}');
  await press('Standard');
  await press('Back to standard');
  await shows(field('Frame'));
  await press('Save');
  await expect.poll(() => api.changes().filter(({ call }) => call.startsWith('PUT')).length).toBe(2);
  const saved = api.changes().filter(({ call }) => call.startsWith('PUT'));
  expect(saved.map(({ body }) => body)).toMatchObject([
    { look: { layout: { kind: 'html', source: '<html>{{cta}}' } } },
    { look: { layout: null } },
  ]);
});

proof('what the server finds in a layout when it is saved is said at the field', async () => {
  const layout = {
    kind: 'mjml',
    source: '<mjml></mjml>',
    html: '<html><body>{{cta}}</body></html>',
  } as const;
  openList({
    'GET /api/email-lists/{list}/look': { look: { ...LOOK, layout }, inherited: null },
    'PUT /api/email-lists/{list}/look': refusal(422, 'Line 2: <i> is not closed.', {
      layout: ['Line 2: <i> is not closed.'],
    }),
  });
  await expect.element(field('MJML')).toHaveValue('<mjml></mjml>');
  await previews('<html><head>');
  await press('Save');
  await says('Line 2: <i> is not closed.');
});
