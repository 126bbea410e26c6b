import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { ConnectionRequest } from '#shared/connection.ts';
import { type Answers, refusal } from '../support/components/api.ts';
import { organization, profile, token } from '../support/components/examples.ts';
import {
  answer,
  button,
  checkbox,
  field,
  isGone,
  press,
  rowAction,
  says,
  shows,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const ASKED = 'GET /api/connections/request';
const CONNECT = 'POST /api/connections';
const HELPER = 'https://helper.example.com';
const query = { client_id: `${HELPER}/client.json`, redirect_uri: `${HELPER}/callback`, state: 'a&b' };
const request: ConnectionRequest = {
  host: 'helper.example.com',
  name: 'Your bank',
  redirect_host: 'answers.example.com',
  scopes: ['read', 'automations'],
  problem: null,
  cancel: `${HELPER}/callback?error=access_denied`,
};

const openWith = (answers: Answers = {}) =>
  open(`/connect?${new URLSearchParams(query)}`, { [ASKED]: request, ...answers });

/** Where the browser would go: the page of the tests stays. */
function stay() {
  const left: string[] = [];
  const keep = (event: NavigateEvent) => {
    left.push(event.destination.url);
    event.preventDefault();
  };
  navigation.addEventListener('navigate', keep);
  onTestFinished(() => navigation.removeEventListener('navigate', keep));
  return left;
}

it('an assistant gets what the user leaves of what it asks for, after they saw who asks', async () => {
  const { api } = openWith({ [CONNECT]: { redirect: `${HELPER}/callback?code=one` } });
  await says('helper.example.com');
  await says('Your bank');
  await says('answers.example.com');
  await shows(page.getByRole('main').getByText(organization.name));
  await isGone(checkbox('Sending'));
  await checkbox('Read').click();
  await checkbox('Automations').click();
  await says('Choose at least one');
  await expect.element(button('Connect')).toBeDisabled();
  await checkbox('Read').click();
  await field('Most new people a plan may email').fill('50');
  const left = stay();
  await press('Connect');
  await expect.poll(() => left).toEqual([`${HELPER}/callback?code=one`]);
  expect(api.changes()).toEqual([{ call: CONNECT, body: { ...query, scopes: ['read'], max_people: 50 } }]);
});

it('cancelling tells the assistant so, and connects nothing', async () => {
  const { api } = openWith();
  await checkbox('Automations').click();
  const left = stay();
  await press('Cancel');
  await expect.poll(() => left).toEqual([request.cancel]);
  expect(api.changes()).toEqual([]);
});

it('a viewer allows reading alone', async () => {
  openWith({ 'GET /api/organizations': [{ ...organization, role: 'VIEWER' }] });
  await expect.element(checkbox('Read')).toBeChecked();
  await expect.element(checkbox('Automations')).toBeDisabled();
  await expect.element(checkbox('Automations')).not.toBeChecked();
});

it('a program on this computer is not taken for the assistant that it says it is', async () => {
  openWith({ [ASKED]: { ...request, redirect_host: null } });
  await says(/^Any program on this computer can say that it is helper\.example\.com/);
});

it('a request that is wrong is not answered by itself', async () => {
  const problem = 'It must prove itself by PKCE with S256.';
  openWith({ [ASKED]: { ...request, problem, cancel: `${HELPER}/callback?error=invalid_request` } });
  await says(`helper.example.com cannot be connected. ${problem}`);
  await isGone(button('Connect'));
  const left = stay();
  await press('Go back to helper.example.com');
  await expect.poll(() => left).toEqual([`${HELPER}/callback?error=invalid_request`]);
});

it('an assistant that is not known gets no answer', async () => {
  openWith({ [ASKED]: refusal(422, 'Who asks cannot be checked.') });
  await warns('Who asks cannot be checked.');
  await isGone(button('Connect'));
});

it('a refusal keeps what was chosen', async () => {
  openWith({ [CONNECT]: refusal(422, 'Not that', { scopes: ['Your role does not have automations'] }) });
  await press('Connect');
  await warns('Your role does not have automations');
  await expect.element(checkbox('Automations')).toBeChecked();
});

it('a connected assistant is disconnected beside the tokens', async () => {
  const connected = { ...token('helper-1'), display_name: 'helper.example.com', connected_in: 'Depot' };
  const { api } = open('/profile', {
    ...profile,
    'GET /api/tokens': { tokens: [connected, token('mine')] },
    'DELETE /api/tokens/{id}': undefined,
  });
  await says('Assistant in Depot');
  await rowAction('helper.example.com', 'Disconnect');
  await says('Are you sure you want to disconnect helper.example.com?');
  await answer('Disconnect');
  await says('helper.example.com disconnected.');
  expect(api.changes()).toEqual([{ call: 'DELETE /api/tokens/helper-1', body: undefined }]);
});
