import { expect, it } from 'vitest';
import * as combination from '#core/content/combination.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import { isClaim, readJournal } from '#core/recipient/journal.ts';
import { keyOf } from '#core/recipient/recipient.key.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { getAll } from '#core/storage/table.store.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewTemplateVersion } from '#shared/email-template.ts';
import { asset, template as newTemplate } from '#test/support/content.ts';
import { ANN, deliveries, MINUTE, start, sweptPack, timeAfter } from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, ready, atClaims, storedAutomation } = deliveries();

const VALUES: Record<Part, string[]> = {
  subject_line: ['Subject one', 'Subject two'],
  preheader: ['Preheader'],
  pre_cta_content: ['Text one', 'Text two', 'Text three'],
  cta_text: ['Button one', 'Button two'],
  cta_url: ['https://shop.example.com/one'],
  after_cta_content: ['After'],
  footer: ['Leave: {{UNSUB_LINK}}'],
};

it('each person of a batch gets the assets of their own combination, and no others', async () => {
  const people = Array.from({ length: 60 }, (_, nth) => `reader${nth}@example.com`);
  const sender = await newSender(table, start);
  const readers = await sender.newList();
  for (const email of people) await sender.add(readers, email, { trial_ends: '2030-01-01T10:00:20Z' });
  const { id } = await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'trial_ends' });
  const values = new Map<string, string>();
  for (const type of Object.keys(PARTS) as Part[]) {
    for (const value of VALUES[type]) {
      const fields = NewEmailAsset.parse(asset({ type, value, automation_ids: [id] }));
      const made = await emailAssets.create({ table, now: start }, sender.organization, fields);
      values.set(made.id, value);
    }
  }
  await sender.run(timeAfter(4 * MINUTE));
  expect(sender.posts).toHaveLength(1);
  const mails = sender.mails();
  expect(mails.map(({ email }) => email).sort()).toEqual(people.sort());
  const combinations = new Set<string>();
  for (const { email, subject, text } of mails) {
    const key = keyOf(sender.organization, email);
    const { entries } = await readJournal(table, key, { since: start.toISOString(), most: 1 });
    const claimed = entries.find(isClaim)?.combination ?? '';
    combinations.add(claimed);
    const { assets = {} } = (await combination.read(table, sender.organization, claimed)) ?? {};
    const own = new Set(Object.values(assets).map(one => values.get(one)));
    expect(own.has(subject)).toBe(true);
    for (const value of [...VALUES.pre_cta_content, ...VALUES.cta_text]) {
      expect([value, text.includes(value)]).toEqual([value, own.has(value)]);
    }
  }
  expect(combinations.size).toBeGreaterThan(6);
});

it.each([
  { what: 'its own content', isStored: true, mailed: ['Unlinked'], seq: 1 },
  // It is released, and the person is decided on anew.
  { what: 'linked content if its own is missing', isStored: false, mailed: ['Welcome aboard'], seq: 2 },
])('a claim whose answer was lost is posted with $what', async ({ isStored, mailed, seq }) => {
  const { sender, template } = await ready();
  const { organization } = sender;
  const other = await sender.newTemplate([], { subject_line: 'Unlinked' });
  if (isStored) await combination.insert(table, organization, { id: other.id, template_id: other.id });
  const pack = await sweptPack(sender);
  let isLost = false;
  const losing = atClaims(async (send, _, { input: { Statements = [] } }) => {
    if (!isLost) {
      for (const { Parameters } of Statements) Parameters[Parameters.indexOf(template)] = other.id;
      await send();
    }
    isLost = true;
    return send();
  });
  await deliver({ ...sender.needs, table: losing, failed: () => {} }, pack);
  await sender.run(timeAfter(30 * MINUTE));
  const since = start.toISOString();
  const { entries } = await readJournal(table, keyOf(organization, ANN), { since, most: 9 });
  expect(sender.mails().map(({ subject }) => subject)).toEqual(mailed);
  expect(entries).toMatchObject([{ seq, combination: isStored ? other.id : template }]);
});

it('a pack that has chosen one version posts it, the next one posts the new version, and nobody is mailed twice', async () => {
  const { sender, automation, template } = await ready([ANN]);
  const late = 'bob@example.com';
  const found = async () =>
    emailTemplates.found(
      { table },
      sender.acting,
      await getAll(table, emailTemplates.keysOf(sender.organization, template)),
    );
  const rewriting = atClaims(async send => {
    const claimed = await send();
    const parts = NewTemplateVersion.parse(newTemplate({ subject_line: 'Written anew' }));
    await emailTemplates.createVersion({ table, now: sender.now }, await found(), parts);
    return claimed;
  });
  const pack = await sweptPack(sender);
  await deliver({ ...sender.needs, table: rewriting }, pack);
  await deliver(sender.needs, pack);
  const { email_list_ids } = await storedAutomation(sender, automation);
  await sender.add({ id: email_list_ids[0] } as never, late, { trial_ends: '2029-12-30T10:20:20Z' });
  await sender.run(timeAfter(30 * MINUTE));
  expect(sender.mails().map(({ email, subject }) => [email, subject])).toEqual([
    [ANN, 'Welcome aboard'],
    [late, 'Written anew'],
  ]);
});
