import { expect, it } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { document as whole } from '#functions/http/openapi.ts';
import { fakeApi } from '../support/components/api.ts';
import { button, dialog, field, heading, isGone, keys, press, says } from '../support/components/page.ts';
import { open, show } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const SOME =
  /^\/api\/(v1\/(me|email-lists|email-lists\/{list}\/members|events|value|automations|look)|email-lists|user|user\/sessions.*)$/;
/** The calls that the tests name: each page renders all of them. */
const openapi = {
  ...whole,
  paths: Object.fromEntries(Object.entries(whole.paths).filter(([path]) => SOME.test(path))),
} as typeof whole;
const openPage = (path = '/api-reference', answers = {}) =>
  open(path, { 'GET /api/openapi.json': openapi, ...answers });

const call = (id: string) => page.elementLocator(document.getElementById(id) as HTMLElement);
const toggle = (name: string | RegExp) => page.getByRole('button', { name });
const example = (id: string, language: string) => page.getByRole('region', { name: `${id} in ${language}` });
const contains = (shown: Locator, text: string) =>
  expect.poll(() => shown.query()?.textContent).toContain(text);
const panels = () => [...document.querySelectorAll('article')].map(({ id }) => id);
const searched = () => page.getByRole('searchbox', { name: 'Search calls' });

it('the API reference shows what programs may call with its fields, its errors and examples, then the calls of the app', async () => {
  openPage();
  await expect
    .element(heading('For programs alone: the token itself, and many members, events and values'))
    .toBeVisible();
  const shown = call('upsertListMembers');
  for (const text of [
    'members[].email',
    'Members of the organization with the role OWNER or ADMIN or USER',
    'Idempotency-Key',
    '429',
  ])
    await expect.element(shown.getByText(text, { exact: true })).toBeVisible();
  await expect.element(toggle(/^POST \/api\/v1\/value/)).toHaveAttribute('aria-expanded', 'true');
  const ofApp = toggle(/^GET \/api\/email-lists The email lists.* Session/);
  await expect.element(ofApp).toHaveAttribute('aria-expanded', 'false');
  await ofApp.click();
  await expect
    .element(call('listEmailLists').getByText('The token of a session, no API token'))
    .toBeVisible();
  expect(panels().length).toBe(Object.values(openapi.paths).flatMap(Object.keys).length);
});

it('each example of the API reference has the organization and the token of the reader, and forgets the token', async () => {
  const { router } = openPage();
  const curl = example('upsertListMembers', 'curl');
  await contains(curl, 'Bearer YOUR_TOKEN');
  await contains(curl, 'X-Active-Organization: 1');
  await contains(curl, `${location.origin}/api/v1/email-lists/LIST_ID/members`);
  await field('API token').fill(' lf_pasted ');
  await contains(curl, "Bearer lf_pasted'");
  await contains(example('postValue', 'curl'), 'Bearer lf_pasted');
  await toggle(/^GET \/api\/user The user/).click();
  await contains(example('getUser', 'curl'), 'Bearer YOUR_SESSION_TOKEN');
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('lf_pasted');
  await router.navigate('/nothing');
  await expect.element(heading('Page not found')).toBeVisible();
  await router.navigate('/api-reference');
  await contains(example('postValue', 'curl'), 'Bearer YOUR_TOKEN');
});

proof('a token that is created on the API reference stands in its examples', async () => {
  openPage('/api-reference', { 'GET /api/tokens': { tokens: [] }, 'POST /api/tokens': { token: 'lf_new' } });
  await press('Create token');
  await field('Token name').fill('import');
  await keys('{Enter}');
  await expect.element(dialog().getByText('lf_new')).toBeVisible();
  await dialog().getByRole('button', { name: 'Close' }).click();
  await isGone(dialog());
  await contains(example('postValue', 'curl'), 'Bearer lf_new');
  await expect.element(button('Create token')).toHaveFocus();
});

proof(
  'a language of the API reference is chosen for all calls, by keyboard too, and its example is copied',
  async () => {
    openPage();
    const tabs = page.getByRole('tablist', { name: 'Languages of postValue' });
    await tabs.getByRole('tab', { name: 'curl' }).click();
    await keys('{ArrowRight}');
    await expect.element(example('postValue', 'JavaScript')).toBeVisible();
    await keys('{ArrowRight}');
    await expect.element(example('postValue', 'Python')).toBeVisible();
    await expect.element(example('upsertListMembers', 'Python')).toBeVisible();
    // The one before may still be there for a moment.
    await isGone(example('postValue', 'JavaScript'));
    await call('postValue').getByRole('button', { name: 'Copy example' }).click();
    await says('Copied');
    expect(await navigator.clipboard.readText()).toMatch(/^import json\n[\s\S]*"eventId": "order-1001"/);
  },
);

proof(
  'a link to a call of the API reference opens it and gives it the focus, and can be copied',
  async () => {
    openPage('/api-reference#createAutomation');
    const named = toggle(/^POST \/api\/v1\/automations Create an automation/);
    await expect.element(named).toHaveAttribute('aria-expanded', 'true');
    await expect.element(named).toHaveFocus();
    await call('createAutomation').getByRole('button', { name: 'Copy link' }).click();
    await says('Copied');
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/api-reference#createAutomation`);
    await keys('{Shift>}{Tab}{/Shift}');
    await named.click();
    await expect.element(named).toHaveAttribute('aria-expanded', 'false');
  },
);

proof(
  'a search of the API reference finds calls, is in the address, and says if nothing is found',
  async () => {
    const { router } = openPage();
    await expect.element(button('Create token')).toBeVisible();
    await searched().fill('eventid');
    await says('1 call found');
    expect(panels()).toEqual(['postValue']);
    expect(router.state.location.search).toBe('?search=eventid');
    await searched().fill('session delete');
    await says(/^\d calls found$/);
    await expect.element(toggle(/^DELETE/).first()).toHaveAttribute('aria-expanded', 'false');
    await searched().fill('no such thing');
    await says('No call found');
    await press('Clear search');
    await expect.element(toggle(/^POST \/api\/v1\/value/)).toBeVisible();
  },
);

it('a visitor reads the API reference without signing in', async () => {
  fakeApi({ 'GET /api/openapi.json': openapi });
  show('/api-reference');
  await contains(example('postValue', 'curl'), 'Bearer YOUR_TOKEN');
  expect(example('postValue', 'curl').element().textContent).not.toContain('X-Active-Organization');
  await expect.element(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

it('the API reference fits on a phone', async () => {
  await page.viewport(390, 844);
  openPage('/api-reference#createAutomation');
  await expect.element(example('createAutomation', 'curl')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
