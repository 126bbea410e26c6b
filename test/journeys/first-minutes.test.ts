import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { fact, says } from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visitor } = sharedBrowser(stack.url);

const MINUTE = 60;
const PEOPLE = 40;
const KEY = 'key-0123456789abcdef';

/** The hands of a user, which count what they press and what they fill in. Choosing a file is a press. */
function handsOn(page: Page) {
  const done = { clicks: 0, fields: 0 };
  const press = async (target: Locator) => {
    await target.click();
    done.clicks++;
  };
  return {
    done,
    button: (name: string) => press(page.getByRole('button', { name, exact: true })),
    link: (name: string) => press(page.getByRole('link', { name, exact: true }).first()),
    check: (label: string) => press(page.getByLabel(label)),
    fill: async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).fill(text);
      done.fields++;
    },
    choose: async (label: string, option: string) => {
      await page.getByLabel(label, { exact: true }).selectOption(option);
      done.fields++;
    },
    file: async (label: string, name: string, text: string) => {
      await page.getByLabel(label).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      done.clicks++;
    },
  };
}

/** The trial of the first one ends in a few minutes, of another one each hour after that. */
function peopleWith(first: string, now: Date): string {
  const ends = (person: number) => new Date(now.getTime() + (person * 60 + 5) * MINUTE * 1000).toISOString();
  const rows = Array.from({ length: PEOPLE }, (_, person) =>
    person === 0 ? [first, 'Ada', ends(0)] : [`${person}.${first}`, `Person ${person}`, ends(person)],
  );
  return [['email', 'first_name', 'trial_ends'], ...rows].map(row => row.join(',')).join('\r\n');
}

it('from the printed address a test email to oneself takes at most 10 clicks and 6 fields, and the first email of a new organization 20 and 12', {
  timeout: 600_000,
}, async () => {
  stack.mustNotBeLogged(KEY);
  const [newcomer, reader] = [newAddress('newcomer'), newAddress('reader')];
  const { open } = await visitor();
  const page = await open('/');
  const { done, button, link, check, fill, choose, file } = handsOn(page);

  await link('Sign in');
  await fill('Email', newcomer);
  await button('Send Login Code');
  await page.getByLabel('Login code').waitFor();
  await fill('Login code', await stack.latestCode(newcomer));
  await button('Read Terms and Conditions & Privacy Policy');
  await check('I have read and agree to the Terms and Conditions and Privacy Policy');
  await button('Accept and Continue');

  const writing = await open('/profile');
  const hands = handsOn(writing);
  await hands.link('Create an email template');
  await hands.button('Fill in an example');
  await hands.fill('CTA URL', 'https://shop.example.com/begin');
  await hands.button('Send test to me');
  await says(writing, `A test email was sent to ${newcomer}.`);
  const { body: sent } = await stack.fetchJson('GET', `/_local/inbox?to=${newcomer}`);
  expect(sent.messages[0].subject).toMatch(/^\[Test\] Welcome/);
  expect(done.clicks + hands.done.clicks).toBeLessThanOrEqual(10);
  expect(done.fields + hands.done.fields).toBeLessThanOrEqual(6);

  await link('Go to Home');
  await says(page, '0 of 4 done');

  /** What home says in another tab, which nobody needs. */
  const home = await open('/');
  const homeSays = async (text: string) => {
    await home.reload();
    await says(home, text);
  };

  await link('Create list');
  await fill('Name', 'Customers');
  await fill('Domain', 'mail.example.com');
  await fill('Sender name', 'The shop');
  await button('Create list');
  await link('Set the sending key');
  await fill('Sending key', KEY);
  await button('Save key');
  await link('Import members');
  await homeSays('1 of 4 done');

  const { body: clock } = await stack.fetchJson('GET', '/_local/clock');
  await file('Choose a file', 'people.csv', peopleWith(reader, new Date(clock.now)));
  await fill('How they agreed to get emails', 'Sign-up form');
  await button('Check the file');
  await button(`Import ${PEOPLE} rows`);
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  expect(await fact(page, 'New members').innerText()).toBe(String(PEOPLE));
  // Until then its members may not be counted, and the form would find no column with dates.
  await stack.fetchJson('POST', '/_local/drain');
  await link('Create an automation');
  await homeSays('2 of 4 done');

  await fill('Name', 'trial ends');
  await choose('How often?', 'Once');
  await choose('Trigger Column', `trial_ends (${PEOPLE} members, in 1 of 1 list)`);
  await button('Save and create template');
  await button('Fill in an example');
  await fill('CTA URL', 'https://shop.example.com/begin');
  await button('Create Email Template');
  await page
    .getByRole('dialog')
    // By the clock of the browser, which other tests have not moved.
    .getByText(/the first (within|on) .+\.$/)
    .waitFor();
  await button('Activate and send');
  await page.getByText('This automation has at least one active email template.').waitFor();
  await homeSays('3 of 4 done');
  expect(await page.getByRole('heading', { name: /^Results of/ }).count()).toBe(0);

  await stack.advance(7 * MINUTE);
  await homeSays(
    'The first email is sent. Its opens, its clicks and the value they bring are counted here, and in Reporting.',
  );
  const inbox = await open('/_local/inbox');
  await inbox.getByPlaceholder('Only mails to…').fill(reader);
  await inbox.getByRole('heading', { name: 'Welcome, Ada', exact: true }).waitFor();
  const mail = inbox.frameLocator('iframe');
  await mail.getByText('Hello Ada,').waitFor();
  expect(await mail.getByRole('link', { name: 'Get started' }).getAttribute('href')).toContain('/t/c/');

  // Reading it there has opened it, which was the last step.
  await stack.fetchJson('POST', '/_local/drain');
  await link('Home');
  for (const figure of ['Sent', 'Opened']) {
    await fact(page, figure).getByText('1', { exact: true }).waitFor();
  }
  expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
  expect(done.clicks).toBeLessThanOrEqual(20);
  expect(done.fields).toBeLessThanOrEqual(12);
});
