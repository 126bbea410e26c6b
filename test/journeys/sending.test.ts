import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, press, says } from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const KEY = 'key-0123456789abcdef';
const MINUTE = 60;
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
async function fillIn(page: Page, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) await field(page, label).fill(text);
}

it('with a list, a member, an automation and a template, an email goes out when it is due', async () => {
  stack.mustNotBeLogged(KEY);
  const owner = await newMember(stack);
  const reader = newAddress('reader');
  const { body: clock } = await stack.fetchJson('GET', '/_local/clock');
  const due = new Date(Date.parse(clock.now) + 5 * MINUTE * 1000).toISOString();

  const page = await visit('/email-lists', owner);
  await page.getByRole('link', { name: 'Create list' }).last().click();
  await fillIn(page, {
    Name: 'Spring customers',
    Domain: 'mail.example.com',
    'Sender name': 'The shop',
    'Sender email address': 'hello@mail.example.com',
  });
  await press(page, 'Create list');
  await heading(page, 'Spring customers');
  const list = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Add member' }).last().click();
  await field(page, 'Email').fill(reader);
  for (const [at, [key, value]] of Object.entries([
    ['first_name', 'Ada'],
    ['trial_ends', due],
  ])) {
    await press(page, 'Add metadata');
    await page
      .getByLabel('Key')
      .nth(Number(at))
      .fill(key ?? '');
    await page
      .getByLabel('Value')
      .nth(Number(at))
      .fill(value ?? '');
  }
  await press(page, 'Add member');
  await page.getByRole('link', { name: reader }).waitFor();

  await page.goto(new URL(`${list}/edit`, stack.url()).href);
  await field(page, 'Sending key').fill(KEY);
  await press(page, 'Save key');
  await says(page, 'Valid');

  await page.getByRole('link', { name: 'Automations' }).click();
  await page.getByRole('link', { name: 'New Automation' }).first().click();
  await field(page, 'Name').fill('win_back');
  await page.getByRole('group', { name: 'Email Lists' }).getByLabel('Spring customers').check();
  await page.getByLabel('Trigger Column').selectOption('trial_ends (1 member, in 1 of 1 list)');
  await press(page, 'Save Automation');
  await page.getByRole('link', { name: 'win_back' }).waitFor();

  await page.goto(new URL('/email-templates/new', stack.url()).href);
  await fillIn(page, {
    'Template Name': 'Spring',
    'Subject Line': 'Spring is here, {{first_name}}',
    'Pre-CTA Content': 'It is *spring*.',
    'CTA Text': 'Look around',
    'CTA URL': 'https://shop.example.com/spring',
  });
  await page.getByRole('checkbox', { name: 'win_back', exact: true }).click();
  await press(page, 'Create Email Template');
  await page.getByText(/^1 person gets an email within 24 hours/).waitFor();
  await answer(page, 'Save and send');
  await says(page, 'Email template created successfully!');

  expect(await stack.advance(7 * MINUTE)).toMatchObject({ sends: 1 });
  await page.goto(new URL('/_local/inbox', stack.url()).href);
  await page.getByPlaceholder('Only mails to…').fill(reader);
  await page.getByRole('link', { name: 'Spring is here, Ada' }).click();
  const mail = page.frameLocator('iframe');
  await mail.getByText('It is spring.').waitFor();
  expect(await mail.getByRole('link', { name: 'Look around' }).getAttribute('href')).toContain('/t/c/');
});
