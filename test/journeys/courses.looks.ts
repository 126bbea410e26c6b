import { chosen, heading, type Look, pressed, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

const sequence: Look['path'] = scene => `/automations/sequences/${scene.sequence}`;
const broadcast: Look['path'] = scene => `/broadcasts/${scene.draft}`;

/** The draft as if it were in another state. */
const as =
  (state: object, until: Look['until']): Look['until'] =>
  async page => {
    await page.route(/\/api\/broadcasts\/\w+$/, async route => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...state } });
    });
    await page.reload();
    await until(page);
  };

const BEGUN = { started_at: new Date().toISOString() };
const STOPPED = { ...BEGUN, status: 'stopped', stopped: { reason: 'no_key', at: BEGUN.started_at } };

export const looks: Look[] = [
  {
    name: 'a new step, at the time of another one',
    path: sequence,
    async until(page) {
      await press(page, '+ Add step');
      await page.getByRole('dialog').getByLabel('Days after').fill('3');
      await page.getByRole('dialog').getByRole('button', { name: 'Add step' }).click();
      await page.getByText('Another step goes at this time').waitFor();
    },
  },
  {
    name: 'another delay of a step',
    path: sequence,
    async until(page) {
      await page.getByRole('button', { name: /^Change delay: 3 days/ }).click();
      await page.getByRole('dialog').getByLabel('Days after').waitFor();
    },
  },
  {
    name: 'the email of a step, without what it needs',
    path: sequence,
    async until(page) {
      await page.getByRole('button', { name: /^Write email/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Subject line is required').waitFor();
    },
  },
  {
    name: 'removing a step',
    path: sequence,
    async until(page) {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Remove step' }).click();
      await page.getByText('nobody gets this email any more').waitFor();
    },
  },
  {
    name: 'deleting a sequence',
    path: sequence,
    async until(page) {
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'Delete sequence' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a new sequence that an event starts',
    path: '/automations/sequences/new',
    async until(page) {
      await page.getByLabel('What starts it?').selectOption('An event');
      await press(page, 'Create sequence');
      await page.getByText('Name is required').waitFor();
    },
  },
  {
    name: 'a new broadcast without a time',
    path: '/broadcasts/new',
    async until(page) {
      await page.getByLabel('When').selectOption('At a local time of each member');
      await press(page, 'Save draft');
      await page.getByText('Choose a date and a time').waitFor();
    },
  },
  {
    name: 'the question before a broadcast is sent',
    path: broadcast,
    isAround: true,
    until: pressed('Send now'),
  },
  { name: 'deleting a broadcast', path: '/broadcasts', until: chosen('Spring sale', 'Delete') },
  {
    name: 'a broadcast that is being sent',
    path: broadcast,
    isAround: true,
    until: as({ ...BEGUN, status: 'sending' }, heading('Spring sale')),
  },
  {
    name: 'cancelling a broadcast',
    path: broadcast,
    isAround: true,
    until: as({ status: 'scheduled', at: '2030-12-01T09:00:00.000Z' }, pressed('Cancel broadcast')),
  },
  {
    name: 'a broadcast that was stopped',
    path: broadcast,
    isAround: true,
    until: as(STOPPED, text(/^It was stopped on/)),
  },
];
