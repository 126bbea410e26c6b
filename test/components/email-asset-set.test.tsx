import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { PARTS } from '#shared/email/content.ts';
import { held, refusal } from '../support/components/api.ts';
import { asset, assetRow, automation, noEffect } from '../support/components/examples.ts';
import { button, field, heading, isGone, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const NEW_SET = '/email-assets/new-set';
const welcomeId = 'bf8cj7lluq5i';
const ROUTE = 'POST /api/email-asset-sets';
const created = () => Response.json({ created: Array(5).fill(asset), existing: [] }, { status: 201 });
const around = {
  'GET /api/automations-for-assets': [{ id: welcomeId, name: 'welcome' }],
  'GET /api/email-assets': { data: [assetRow], current_page: 1, last_page: 1, total: 1, found: 1 },
};
const FOOTER = 'To unsubscribe from these emails, click here: {{UNSUB_LINK}}';
const WRITTEN = {
  'Subject Line': 'Spring is here',
  'Pre-CTA Content': 'Hello',
  'CTA Text': 'Look around',
  'CTA URL': 'https://example.com/',
};
const write = async (texts: Record<string, string> = WRITTEN) => {
  for (const [label, text] of Object.entries(texts)) await field(label).fill(text);
};

it('each type is marked as required or optional, and what is required is asked for before anything is sent', async () => {
  const { api } = open(NEW_SET, around);
  await expect.element(field('Footer')).toHaveValue(FOOTER);
  const descriptions = Object.values(PARTS).map(label =>
    (field(label).element().ariaDescribedByElements ?? []).map(({ textContent }) => textContent).join(' '),
  );
  expect(descriptions).toEqual([
    'Required.',
    'Optional: shown after the subject in the inbox.',
    'Required.',
    'Required.',
    'Required.',
    'Optional.',
    'Required, with {{UNSUB_LINK}}: the link by which recipients unsubscribe.',
  ]);
  await write({ Footer: 'Bye', 'CTA URL': 'example.com' });
  await press('Create Asset Set');
  for (const [label, text] of [
    ['Subject Line', 'Subject line is required'],
    ['Pre-CTA Content', 'Pre-CTA content is required'],
    ['CTA Text', 'CTA text is required'],
    ['CTA URL', 'CTA URL must be a web address that begins with https:// or http://'],
    ['Footer', 'Footer must contain {{UNSUB_LINK}} placeholder for unsubscribe link.'],
  ] as const) {
    await expect.element(field(label)).toHaveAccessibleErrorMessage(text);
  }
  await expect.element(field('Subject Line')).toHaveFocus();
  expect(api.changes()).toEqual([]);
});

it('all is sent in one call, by keyboard alone, and the list says what became of it', async () => {
  const { answer: created, release } = held<Response>();
  const { api, router } = open(NEW_SET, { ...around, [ROUTE]: created });
  await write({ ...WRITTEN, Name: 'Spring', Preheader: ' ' });
  const inbox = page.getByRole('group', { name: 'In an inbox' });
  await expect.element(inbox.getByText('Spring is here')).toBeVisible();
  field('welcome').element().focus();
  await keys(' ');
  field('CTA URL').element().focus();
  await keys('{Enter}{Enter}');
  await expect.element(button('Creating...')).toBeDisabled();
  release(Response.json({ created: Array(4).fill(asset), existing: [asset] }, { status: 201 }));
  await says('4 email assets created, 1 existed already and is linked.');
  await expect.poll(() => router.state.location.pathname).toBe('/email-assets');
  expect(api.changes()).toMatchObject([
    {
      body: {
        name: 'Spring',
        subject_line: 'Spring is here',
        pre_cta_content: 'Hello',
        footer: FOOTER,
        is_active: true,
        automation_ids: [welcomeId],
      },
    },
  ]);
});

it('what is refused is said at its field, and all of it stays typed', async () => {
  const inactive = 'The same email asset exists, but is inactive: activate it first, or change this text.';
  const gone = 'One of the automations does not exist any more';
  const errors = { footer: [inactive], automation_ids: [gone] };
  const { api, router } = open(`${NEW_SET}?automation=${welcomeId}`, {
    ...around,
    'GET /api/automations/{automation}': { ...automation, id: welcomeId },
    'GET /api/automations/{automation}/forecast': {
      days: [],
      total_count: 0,
      sampled: null,
      counted_share: 1,
    },
    [ROUTE]: refusal(422, inactive, errors),
  });
  await write();
  await press('Create Asset Set');
  await expect.element(field('Footer')).toHaveAccessibleErrorMessage(inactive);
  await expect.element(field('Footer')).toHaveFocus();
  await expect
    .element(page.getByRole('group', { name: 'Link to Automations' }))
    .toHaveAccessibleDescription(gone);
  await says('Failed to create email assets');
  await expect.element(field('Subject Line')).toHaveValue('Spring is here');
  api.answer({ [ROUTE]: created() });
  await write({ Footer: 'Bye: {{UNSUB_LINK}}' });
  await press('Create Asset Set');
  // Back to the automation that it was written for.
  await expect.element(heading(automation.name)).toBeVisible();
  expect(router.state.location.pathname).toBe(`/automations/${welcomeId}`);
  expect(api.changes()).toHaveLength(2);
});

it('where it begins to send, it is asked first, of all types that are written', async () => {
  let asked: unknown;
  const { api } = open(`${NEW_SET}?automation=${welcomeId}`, {
    ...around,
    'POST /api/content-links/dry-run': ({ body }) => {
      asked = body;
      return { ...noEffect, next_24_hours: { emails: 3, people_more: 3, people_fewer: 0 } };
    },
  });
  await write({ ...WRITTEN, 'After-CTA Content': 'See you' });
  await press('Create Asset Set');
  await says(/^3 people get an email within 24 hours/);
  expect(asked).toEqual({
    kinds: ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url', 'after_cta_content', 'footer'],
    is_active: true,
    automation_ids: [welcomeId],
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await isGone(page.getByRole('dialog'));
  await expect.element(button('Create Asset Set')).toBeEnabled();
  expect(api.changes()).toEqual([]);
});
