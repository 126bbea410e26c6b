import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import { field, isGone, leadsTo, press, says, shows, textsOf, warns } from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { customers, fakeSequence, onboarding, PATH } from '../support/components/sequences.ts';
import { proof } from '../support/proof.ts';

const lists = [customers, { ...customers, id: 'readers00001', name: 'Readers' }];
const noDates = { columns: [], stats: {} };
const box = (name: RegExp) => page.getByRole('checkbox', { name });

proof(
  'of several lists the one that the address names is chosen, or none; what is refused is said, and asked anew',
  async () => {
    const answers: Answers = {
      ...fakeSequence(),
      'GET /api/email-lists': lists,
      'GET /api/email-lists/{list}/datetime-metadata-columns': noDates,
    };
    const { api, router } = open('/automations/sequences/new', answers);
    await shows(box(/^Readers/));
    expect(textsOf('label:has(input:checked)')).toEqual([]);
    await field('Name').fill('Onboarding');
    const message = 'One of the email lists does not exist any more';
    api.answer({
      'GET /api/email-lists': [customers],
      'POST /api/sequences': refusal(422, 'Invalid', { email_list_ids: [message] }),
    });
    await press('Create sequence');
    await warns(message);
    await isGone(box(/^Readers/));
    api.answer({ ...answers, 'POST /api/sequences': DOWN });
    await press('Create sequence');
    await warns('Failed to save sequence. Please try again.');
    await leadsTo('Cancel', '/automations');
    await leadsTo('Back to Automations', '/automations');
    await router.navigate('?list=readers00001');
    await reload(router);
    await expect.element(box(/^Readers/)).toBeChecked();
    await expect.element(box(/^Customers/)).not.toBeChecked();
  },
);

it('what all steps have in common is edited: what has changed is sent, and a step has no dates off of its own', async () => {
  const stored = { ...onboarding, days_off: ['friday' as const], starts_at: 'event' as const };
  const { api, router } = open(`${PATH}/edit`, {
    ...fakeSequence(stored),
    'GET /api/events': [],
    'GET /api/email-lists': lists,
    'GET /api/email-lists/{list}/datetime-metadata-columns': noDates,
  });
  await expect.element(field('Name')).toHaveValue('Onboarding');
  await expect.element(field('Name')).not.toHaveFocus();
  await expect.element(field('Name of the event')).toHaveValue('signed_up');
  await isGone(page.getByText(/^It begins with three steps/));
  await isGone(field('Dates off'));
  await leadsTo('Cancel', PATH);
  await leadsTo('Back to the sequence', PATH);
  await box(/^Readers/).click();
  // The event goes with it.
  await field('What starts it?').selectOptions('When they were added');
  await box(/^Friday/).click();
  await press('Save sequence');
  await says('Sequence saved.');
  await expect.poll(() => router.state.location.pathname).toBe(PATH);
  expect(api.changes().map(({ body }) => body)).toEqual([
    {
      email_list_ids: [customers.id, 'readers00001'],
      starts_at: 'added',
      metadata_trigger: null,
      days_off: [],
    },
  ]);
});

proof('a sequence that was deleted while it is edited is not found any more', async () => {
  const { api } = open(`${PATH}/edit`, {
    ...fakeSequence(),
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: ['signed_up'], stats: {} },
  });
  await field('Name').fill('Too late');
  const gone = refusal(404, 'Sequence not found');
  api.answer({ 'GET /api/sequences/{sequence}': gone, 'PUT /api/sequences/{sequence}': gone });
  await press('Save sequence');
  await says('Sequence not found');
});
