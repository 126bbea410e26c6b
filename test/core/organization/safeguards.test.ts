import { expect, it } from 'vitest';
import * as organization from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import { queryPartition } from '#core/storage/table.store.ts';
import { INITIAL_SAFEGUARDS, SafeguardsChange } from '#shared/safeguards.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2026-03-01T09:00:00Z');
const newOrganization = async () => (await newUser(table, now)).organizationId;

it('they are enabled from the start, with 1, 2, 3 and 7 emails', async () => {
  expect(await safeguards.read(table, await newOrganization())).toEqual({
    enabled: true,
    max_emails_5_minutes: 1,
    max_emails_1_hour: 2,
    max_emails_24_hours: 3,
    max_emails_1_week: 7,
    order: 'least_recent',
    pause_at_percent: { complained: 0.3, bounced: 5 },
  });
});

it('a part of them is changed, once or twice, and the rest stays', async () => {
  const id = await newOrganization();
  await safeguards.change({ table, now }, id, { enabled: false });
  const changed = { ...INITIAL_SAFEGUARDS, enabled: false, max_emails_1_week: 20 };
  for (const _ of ['once', 'twice']) {
    expect(await safeguards.change({ table, now }, id, { max_emails_1_week: 20 })).toEqual(changed);
  }
  expect(await safeguards.change({ table, now }, id, {})).toEqual(changed);
  expect(await safeguards.read(table, id)).toEqual(changed);
});

it('two callers who change different parts at once both do', async () => {
  const id = await newOrganization();
  await Promise.all([
    safeguards.change({ table, now }, id, { max_emails_1_hour: 5 }),
    safeguards.change({ table, now }, id, { max_emails_24_hours: 9 }),
  ]);
  expect(await safeguards.read(table, id)).toEqual({
    ...INITIAL_SAFEGUARDS,
    max_emails_1_hour: 5,
    max_emails_24_hours: 9,
  });
});

it('those of another organization, and of a deleted one, are not touched', async () => {
  const [other, owner] = [await newOrganization(), await newUser(table, now)];
  const { id } = await organization.create({ table, now }, owner.id, 'Depot');
  await safeguards.change({ table, now }, id, { max_emails_5_minutes: 4 });
  expect(await safeguards.read(table, other)).toEqual(INITIAL_SAFEGUARDS);

  const { id: gone } = await organization.create({ table, now }, owner.id, 'Annex');
  await organization.remove({ table, now }, await actingIn(table, owner.id, gone));
  await expect(safeguards.change({ table, now }, gone, { enabled: false })).rejects.toMatchObject({
    reason: 'not-found',
  });
  expect(await queryPartition(table, `ORG#${gone}`, 'SAFEGUARDS')).toEqual([]);
});

it('only the owner makes the guard stricter, and nobody looser', async () => {
  const id = await newOrganization();
  const stricter = { pause_at_percent: { complained: 0.1, bounced: 2.5 } };
  await expect(safeguards.change({ table, now, role: 'ADMIN' }, id, stricter)).rejects.toMatchObject({
    reason: 'forbidden',
  });
  expect(await safeguards.read(table, id)).toEqual(INITIAL_SAFEGUARDS);
  expect(await safeguards.change({ table, now, role: 'OWNER' }, id, stricter)).toMatchObject(stricter);
  // Admins save the form with what it shows them.
  await safeguards.change({ table, now, role: 'ADMIN' }, id, { ...stricter, max_emails_1_hour: 5 });
  const [stored] = await queryPartition(table, `ORG#${id}`, 'SAFEGUARDS');
  expect(stored).toMatchObject({ ...stricter, max_emails_1_hour: 5 });
  // The owner makes it stricter still while such a form is saved.
  const stricterStill = { pause_at_percent: { complained: 0.05, bounced: 1 } };
  const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
    safeguards.change({ table, now, role: 'OWNER' }, id, stricterStill),
  );
  await safeguards.change({ table: meanwhile, now, role: 'ADMIN' }, id, {
    ...stricter,
    max_emails_1_hour: 6,
  });
  expect(await safeguards.read(table, id)).toMatchObject({ ...stricterStill, max_emails_1_hour: 6 });
  for (const [complained, text] of [
    [0.31, 'Value must be at most 0.3: the guard can be stricter, not looser'],
    [0, 'Value must be at least 0.01'],
    [1e-131, 'Value must be at least 0.01'],
    [-1, 'Value must be at least 0.01'],
    ['1', 'Value must be a number'],
  ]) {
    const { error } = SafeguardsChange.safeParse({ pause_at_percent: { complained, bounced: 5 } });
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['pause_at_percent.complained', text],
    ]);
  }
});
