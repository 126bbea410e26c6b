import { beforeEach, describe, expect, it } from 'vitest';
import * as list from '#core/list/list.ts';
import * as organization from '#core/organization/organization.ts';
import type { Table } from '#core/storage/table.store.ts';
import { newList } from '#test/support/core-list.ts';
import { Crashed, crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import * as images from '#test/support/images.ts';
import { losingAnswer } from '#test/support/lost-answer.ts';
import { actingIn, newUser } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const PNG = images.dataUrl(images.png(1, 1));

let files: Map<string, Uint8Array>;
let named: () => Promise<string | null>;
/** Each file that is stored or deleted, and whether the table named it at that moment. */
let steps: { step: 'put' | 'remove'; isNamed: boolean }[];

const noted = async (step: 'put' | 'remove', name: string) =>
  void steps.push({ step, isNamed: (await named()) === `/${name}` });
const objects = {
  put: async (name: string, bytes: Uint8Array) => {
    await noted('put', name);
    files.set(name, bytes);
  },
  remove: async (name: string) => {
    await noted('remove', name);
    files.delete(name);
  },
  deletePage: async () => false,
};

type Owner = {
  named: () => Promise<string | null>;
  change: (on: Table, logo: string | null) => Promise<unknown>;
  deleted: () => Promise<unknown>;
};

async function newOrganization(): Promise<Owner> {
  const owner = await newUser(table, now);
  const { id } = await organization.create({ table, now }, owner.id, 'Post office');
  const made = await actingIn(table, owner.id, id);
  const current = async () => (await organization.activeFor({ table }, owner.id, id)) ?? made;
  return {
    named: async () => (await current()).organization.logo ?? null,
    change: async (on, logo) => organization.changeLogo({ table: on, now, objects }, await current(), logo),
    deleted: () => organization.remove({ table, now }, made),
  };
}

async function newMailingList(): Promise<Owner> {
  const made = await newList(table, now);
  const current = async () => (await list.lookUp({ table }, made.organization_id, made.id)) ?? made;
  return {
    named: async () => (await current()).logo ?? null,
    change: async (on, logo) => list.changeLogo({ table: on, now, objects }, await current(), logo),
    deleted: async () => list.remove({ table, now }, await current()),
  };
}

const losing = (on: Table, meanwhile?: () => Promise<unknown>) =>
  losingAnswer(on, meanwhile, 'TransactWriteCommand');

describe.each([
  ['an organization', newOrganization],
  ['an email list', newMailingList],
])('the logo of %s', (_, create) => {
  let change: (logo: string | null, on?: Table) => Promise<unknown>;
  let deleted: () => Promise<unknown>;

  beforeEach(async () => {
    files = new Map();
    steps = [];
    const owner = await create();
    named = owner.named;
    deleted = owner.deleted;
    change = (logo, on = table) => owner.change(on, logo);
  });

  /** The only file is the one that the table names, and at no time did it name one that was missing. */
  async function expectOneFile() {
    const logo = await named();
    expect(logo).toMatch(/^\/files\//);
    expect([...files.keys()]).toEqual([logo?.slice(1)]);
    expect(steps.every(({ isNamed }) => !isNamed)).toBe(true);
  }
  async function expectNoFile() {
    expect([await named(), ...files.keys()]).toEqual([null]);
    expect(steps.every(({ isNamed }) => !isNamed)).toBe(true);
  }

  it('is stored before its item names it, and the replaced file is deleted after that', async () => {
    await change(PNG);
    await change(PNG);
    expect(steps.map(({ step }) => step)).toEqual(['put', 'put', 'remove']);
    await expectOneFile();
  });

  it('is removed, and removed again', async () => {
    await change(PNG);
    await change(null);
    await expectNoFile();
    await change(null);
    await expectNoFile();
  });

  describe('whose update is retried after its answer was lost', () => {
    it('keeps its new file, and the replaced one is deleted', async () => {
      await change(PNG);
      await change(PNG, losing(table));
      await expectOneFile();
    });

    it('keeps its file where there was no logo before', async () => {
      await change(PNG, losing(table));
      await expectOneFile();
    });

    it('is removed with its file', async () => {
      await change(PNG);
      await change(null, losing(table));
      await expectNoFile();
    });

    it.each([0, 1])(
      'keeps one file where another request replaces it meanwhile (%i logos before)',
      async before => {
        if (before) await change(PNG);
        await change(
          PNG,
          losing(table, () => change(PNG)),
        );
        await expectOneFile();
      },
    );

    it.each([0, 1])(
      'keeps one file where another request removes it meanwhile (%i logos before)',
      async before => {
        if (before) await change(PNG);
        await change(
          PNG,
          losing(table, () => change(null)),
        );
        await expectOneFile();
      },
    );

    it('leaves no file where its owner is deleted meanwhile', async () => {
      await expect(change(PNG, losing(table, deleted))).rejects.toMatchObject({ reason: 'not-found' });
      expect([...files.keys()]).toEqual([]);
    });
  });

  it('has one file where several requests change it at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => change(PNG)));
    await expectOneFile();
    await Promise.all([change(null), change(PNG), change(null)]);
    expect([...files.keys()]).toEqual([await named()].flatMap(logo => (logo ? [logo.slice(1)] : [])));
  });

  it('leaves no file where its owner is deleted already', async () => {
    await deleted();
    await expect(change(PNG)).rejects.toMatchObject({ reason: 'not-found' });
    expect([...files.keys()]).toEqual([]);
  });

  it.each(['before', 'after'] as const)('has its file where a process dies %s its update', async how => {
    await change(PNG);
    await expect(change(PNG, crashing(table, { at: 1, how }))).rejects.toThrow(Crashed);
    expect([...files.keys()]).toContain((await named())?.slice(1));
    await change(PNG);
    expect([...files.keys()]).toContain((await named())?.slice(1));
  });
});
