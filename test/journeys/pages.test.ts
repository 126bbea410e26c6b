import type { Page } from 'playwright-core';
import type { RouteObject } from 'react-router';
import { beforeAll, describe, expect, it } from 'vitest';
import { asking, serveAssistants } from '../support/assistant.ts';
import { OF_COLORS } from '../support/browser/axe.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { element, expectGoodLook, goTo, heading, text } from '../support/browser/look.ts';
import { shifts, watchShifts } from '../support/browser/shifts.ts';
import { newAsset, newAutomation, newTemplate } from '../support/content.ts';
import { newLog } from '../support/example-log.ts';
import { addMembers, newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { invite, newOrganization } from '../support/organization.ts';
import { proof } from '../support/proof.ts';
import { PROVE } from '../support/prove.ts';
import { newReported } from '../support/reported.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { lastingPage } = sharedBrowser(stack.url);

const MOST = 0.05;

/** An organization with long names, a filled list and an empty one; and a guest, who is invited to it. */
async function newScene() {
  await serveAssistants();
  const person = await newMember(stack, 'owner');
  const organization = await newOrganization(stack, person, `The ${'really '.repeat(8)}long name`);
  const owner = { ...person, home: { id: organization, name: '' }, organization };
  const list = await newList(stack, owner, { name: `Customers of ${'the spring and '.repeat(5)}summer` });
  const empty = await newList(stack, owner, { name: 'Empty' });
  const dates = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`date_${index}`, '2026-03-01']));
  const email = `${'long-address-'.repeat(3)}@example.com`;
  await addMembers(stack, owner, list, [{ email, ...dates, note: 'words '.repeat(40) }, ...people(60)]);
  const { body } = await stack.call('GET /api/email-lists/{list}/members', {
    token: owner.token,
    organization,
    params: { list },
  });
  const automations = await Promise.all(
    ['welcome', 'long_'.repeat(20)].map(name => newAutomation(stack, owner, { name, lists: [list] })),
  );
  const { body: sequence } = await stack.call('POST /api/sequences', {
    token: owner.token,
    organization,
    body: { name: 'Onboarding', email_list_ids: [list], steps: [{ delay_days: 0 }, { delay_days: 3 }] },
  });
  const template = await newTemplate(stack, owner, {
    name: `A template for ${'spring and '.repeat(6)}summer`,
    automation_ids: [...automations, sequence.steps[0].automation_id],
  });
  const asset = await newAsset(stack, owner, {
    name: `An asset for ${'spring and '.repeat(6)}summer`,
    value: 'words '.repeat(40),
    automation_ids: automations,
  });
  const emails = [email, ...people(10).map(one => String(one.email))];
  const [of = ''] = automations;
  await newLog(stack, { organization, list, automation: of, template, emails });
  await newReported(stack, owner, template);
  const { body: broadcast } = await stack.call('POST /api/broadcasts', {
    token: owner.token,
    organization,
    body: {
      name: `A broadcast of ${'spring and '.repeat(6)}summer`,
      email_list_ids: [list],
      email_template_ids: [template],
    },
  });
  const { body: plan } = await stack.call('POST /api/plans', {
    token: owner.token,
    organization,
    body: { automations: [{ id: of, delay_days: 3 }], templates: [{ id: template, cta_text: 'Look again' }] },
  });
  const guest = await newMember(stack, 'guest');
  const invitation = await invite(stack, person, organization, guest.email);
  return {
    people: { owner, guest },
    list,
    empty,
    member: body.data[0].id as string,
    automation: automations[1] ?? '',
    broadcast: broadcast.id as string,
    sequence: sequence.id as string,
    template,
    asset,
    plan: plan.hash as string,
    invitation,
  };
}

type Scene = Awaited<ReturnType<typeof newScene>>;
type Sight = {
  name: string;
  path: string | ((scene: Scene) => string);
  /** The user who sees it, by default the owner; null is a visitor without a session. */
  who?: keyof Scene['people'] | null;
  /** Waits for what is shown last. */
  until: (page: Page) => Promise<unknown>;
};

const members = (page: Page) => page.getByRole('row', { name: 'person0000@example.com' }).waitFor();

/** What home shows last. */
const lists = (page: Page) =>
  page
    .getByRole('main')
    .getByText(/^[\d,]+ members?$/)
    .first()
    .waitFor();

const sights: Sight[] = [
  { name: 'the public home page', path: '/', who: null, until: heading('Email automations') },
  { name: 'signing in', path: '/login', who: null, until: heading('Sign in to your account') },
  { name: 'the terms', path: '/terms-and-conditions', who: null, until: heading('Terms and Conditions') },
  { name: 'the privacy policy', path: '/privacy-policy', who: null, until: heading('Privacy Policy') },
  { name: 'a path that leads nowhere', path: '/nothing', until: heading('Page not found') },
  {
    name: 'a member',
    path: ({ member }) => `/list-members/${member}`,
    until: page => page.getByRole('grid', { name: 'Activity' }).getByText('Subscribed').waitFor(),
  },
  { name: 'home', path: '/', until: lists },
  { name: 'home, to somebody invited', path: '/', who: 'guest', until: text(/of 4 done$/) },
  { name: 'the profile', path: '/profile', until: text('This browser') },
  { name: 'the profile of somebody invited', path: '/profile', who: 'guest', until: text('This browser') },
  {
    name: 'connecting an assistant',
    path: () => `/connect?${new URLSearchParams(asking())}`,
    until: element('button', 'Connect'),
  },
  { name: 'organizations', path: '/access-control', until: text(/^guest@/) },
  { name: 'changes', path: '/access-control/changes', until: text(/^Invited somebody/) },
  { name: 'the help', path: '/help', until: element('heading', 'Stop everything') },
  { name: 'the API reference', path: '/api-reference', until: element('region', 'postValue in curl') },
  {
    name: 'an invitation',
    path: ({ invitation }) => `/invitations/accept/${invitation}`,
    who: 'guest',
    until: element('button', 'Reject'),
  },
  {
    name: 'email lists',
    path: '/email-lists',
    until: page => page.getByRole('link', { name: 'Empty', exact: true }).waitFor(),
  },
  { name: 'no email lists', path: '/email-lists', who: 'guest', until: text('No email lists yet') },
  { name: 'a new list', path: '/email-lists/new', until: text('Create list') },
  { name: 'a list', path: ({ list }) => `/email-lists/${list}`, until: members },
  { name: 'an empty list', path: ({ empty }) => `/email-lists/${empty}`, until: text('No members yet') },
  {
    name: 'editing a list',
    path: ({ list }) => `/email-lists/${list}/edit`,
    until: element('button', 'Save key'),
  },
  {
    name: 'the design of a list',
    path: ({ list }) => `/email-lists/${list}/look`,
    until: page => page.getByTitle('Email preview').waitFor(),
  },
  {
    name: 'the design of the organization',
    path: '/access-control/email-design',
    until: page => page.getByTitle('Email preview').waitFor(),
  },
  {
    name: 'a new member',
    path: ({ list }) => `/email-lists/${list}/members/new`,
    until: text('Add and continue'),
  },
  {
    name: 'the import of members',
    path: ({ list }) => `/email-lists/${list}/import`,
    until: text('No imports yet'),
  },
  { name: 'automations', path: '/automations', until: element('link', 'welcome') },
  {
    name: 'no automations',
    path: '/automations',
    who: 'guest',
    until: text("You don't have any automations yet."),
  },
  { name: 'a new automation', path: '/automations/new', until: page => page.getByLabel('Empty').waitFor() },
  {
    name: 'editing an automation',
    path: ({ automation }) => `/automations/${automation}/edit`,
    until: page => page.getByLabel('How often?').waitFor(),
  },
  {
    name: 'an automation',
    path: ({ automation }) => `/automations/${automation}`,
    until: element('list', 'Emails per day'),
  },
  { name: 'broadcasts', path: '/broadcasts', until: element('link', /^A broadcast/) },
  { name: 'no broadcasts', path: '/broadcasts', who: 'guest', until: text('No broadcasts yet') },
  { name: 'a new broadcast', path: '/broadcasts/new', until: page => page.getByLabel('Empty').waitFor() },
  {
    name: 'editing a broadcast',
    path: ({ broadcast }) => `/broadcasts/${broadcast}/edit`,
    until: page => page.getByLabel('Empty').waitFor(),
  },
  { name: 'a broadcast', path: ({ broadcast }) => `/broadcasts/${broadcast}`, until: text(/gets? it\.$/) },
  {
    name: 'a new sequence',
    path: '/automations/sequences/new',
    until: page => page.getByLabel('Empty').waitFor(),
  },
  {
    name: 'a sequence',
    path: ({ sequence }) => `/automations/sequences/${sequence}`,
    until: async page => {
      await page.locator('iframe').waitFor();
      await page.getByText('before it').first().waitFor();
    },
  },
  {
    name: 'editing a sequence',
    path: ({ sequence }) => `/automations/sequences/${sequence}/edit`,
    until: page => page.getByLabel('Empty').waitFor(),
  },
  {
    name: 'the sending log',
    path: '/sending-log',
    until: page => page.getByRole('grid', { name: 'Sending log' }).getByText('Bounced').waitFor(),
  },
  {
    name: 'the sending log of nothing',
    path: '/sending-log',
    who: 'guest',
    until: text('No emails have been sent yet.'),
  },
  { name: 'reporting', path: '/reporting', until: element('row', 'A template for') },
  {
    name: 'no reports',
    path: '/reporting',
    who: 'guest',
    until: text('No email combinations found in the selected date range.'),
  },
  {
    name: 'a combination',
    path: ({ template }) => `/reporting/combinations/${template}`,
    until: async page => {
      await page.getByRole('group', { name: /^Chart of/ }).waitFor();
      await page.locator('iframe').waitFor();
    },
  },
  { name: 'email templates', path: '/email-templates', until: element('link', 'A template for') },
  {
    name: 'no email templates',
    path: '/email-templates',
    who: 'guest',
    until: text('No email templates found'),
  },
  {
    name: 'a new email template',
    path: '/email-templates/new',
    until: page => page.getByRole('button', { name: 'Create Email Template', exact: true }).waitFor(),
  },
  {
    name: 'an email template',
    path: ({ template }) => `/email-templates/${template}`,
    until: page => page.getByRole('button', { name: 'Save', exact: true }).waitFor(),
  },
  {
    name: 'editing an email template',
    path: ({ template }) => `/email-templates/${template}/edit`,
    until: element('button', 'Save Template'),
  },
  {
    name: 'the wording of an email template',
    path: ({ template }) => `/email-templates/${template}/wording`,
    until: element('button', 'Save wording'),
  },
  { name: 'email assets', path: '/email-assets', until: element('link', 'An asset for') },
  { name: 'no email assets', path: '/email-assets', who: 'guest', until: text('No email assets found') },
  {
    name: 'a new email asset',
    path: '/email-assets/new',
    until: async page => {
      await page.getByLabel('welcome').waitFor();
      await page.locator('iframe, button:text("Show preview")').waitFor();
    },
  },
  {
    name: 'a new asset set',
    path: '/email-assets/new-set',
    until: async page => {
      await page.getByLabel('welcome').waitFor();
      await page.locator('iframe, button:text("Show preview")').waitFor();
    },
  },
  {
    name: 'an email asset',
    path: ({ asset }) => `/email-assets/${asset}`,
    until: text('Used in Automations'),
  },
  {
    name: 'the wording of an email asset',
    path: ({ asset }) => `/email-assets/${asset}/wording`,
    until: element('button', 'Save wording'),
  },
  { name: 'a plan', path: ({ plan }) => `/plans/${plan}`, until: element('button', 'Apply') },
  {
    name: 'safeguards',
    path: '/safeguards',
    until: page => page.getByLabel('Max emails in 1 week').waitFor(),
  },
];

// One page of each layout, in one of both themes. A proof looks at all of them, in both.
const DAILY = { light: ['a list', 'editing an email template'], dark: ['home', 'a combination'] };

const whoOf = ({ who = 'owner' }: Sight) => who;

// Those of one person after the other.
sights.sort((a, b) => (whoOf(a) ?? '').localeCompare(whoOf(b) ?? ''));
const lookedAtIn = (scheme: keyof typeof DAILY) =>
  sights.filter(({ name }) => PROVE || DAILY[scheme].includes(name));

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});

const pathOf = ({ path }: Sight) => (typeof path === 'string' ? path : path(scene));

/** What each page reads, beside what all of them do. */
const readBy = new Map<Sight, string[]>();
const READ = /\/api\/(?!(user|user\/invitations|organizations)$)/;

// Both themes and both widths, loaded or gone to; not each with each, and all rules of axe only once.
describe.each([
  { width: 1440, colorScheme: 'light', rules: undefined, isLoaded: true },
  { width: 390, colorScheme: 'dark', rules: OF_COLORS, isLoaded: false },
] as const)('at $width pixels, $colorScheme', ({ width, colorScheme, rules, isLoaded }) => {
  let read: string[] = [];
  const lasting = lastingPage(width, async page => {
    await page.emulateMedia({ colorScheme });
    await watchShifts(page);
    page.on('request', request => READ.test(request.url()) && read.push(request.url()));
  });

  /** Who has looked at the page before; undefined at first. */
  let before: Sight['who'];
  /** What was read since the app was loaded, which another page shows at once: there, nothing could move. */
  let known: string[] = [];

  it.each(lookedAtIn(colorScheme))(
    '$name: nothing moves, nothing is too wide, nothing for axe to find',
    async sight => {
      const page = lasting.page();
      const who = whoOf(sight);
      const isGoneTo =
        !isLoaded && who && who === before && !readBy.get(sight)?.some(url => known.includes(url));
      if (isGoneTo) await goTo(page, pathOf(sight));
      else if (who === before) await page.goto(pathOf(sight));
      else await lasting.visit(pathOf(sight), who ? scene.people[who] : undefined);
      before = who;
      await sight.until(page);
      const { total, what } = await shifts(page);
      expect(total, what.join('; ')).toBeLessThanOrEqual(MOST);
      await expectGoodLook(page, rules);
      if (isLoaded) readBy.set(sight, read);
      known = isGoneTo ? [...known, ...read] : read;
      read = [];
    },
  );
});

it('one page of each layout is looked at in each run', () => {
  for (const scheme of ['light', 'dark'] as const)
    expect(lookedAtIn(scheme)).toHaveLength(PROVE ? sights.length : DAILY[scheme].length);
});

proof('every page of the app is looked at', async () => {
  // As dear as a test of a page.
  const [{ matchRoutes }, { routes }] = [await import('react-router'), await import('#web/app/routes.tsx')];
  const seen = new Set(sights.flatMap(sight => matchRoutes(routes, pathOf(sight))?.at(-1)?.route.path ?? []));
  const pages = (all: RouteObject[]): string[] =>
    all.flatMap(({ path, children = [] }) => [...(path ? [path] : []), ...pages(children)]);
  expect(pages(routes).filter(path => !seen.has(path))).toEqual([]);
});
