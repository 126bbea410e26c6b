import { createHash } from 'node:crypto';
import * as listStore from '#core/list/list.store.ts';
import { recordedWrites } from '#core/list/list.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import { type Changing, recorded } from '#core/organization/record.ts';
import { Refusal } from '#core/refusal.ts';
import { get, memoryOf, storedOf, type Table } from '#core/storage/table.store.ts';
import { ABSENT, optimistically, putWrite, type Write } from '#core/storage/write.store.ts';
import type { Design } from '#shared/email/layout.ts';
import { publicNameOf } from '#shared/list.ts';
import type { ListLook, Look } from '#shared/look.ts';
import * as content from './content.store.ts';

type Needs = { table: Table };
type Organization = Pick<organizationStore.StoredOrganization, 'id' | 'look'>;
type List = listStore.StoredList;

const MOST_VERSIONS = 1_000;
const FULL = `An organization can have at most ${MOST_VERSIONS.toLocaleString('en')} versions of its email designs. Use one that you had before.`;
const CONFLICT = 'Another change of this email design is under way. Please try again.';

/** A version never changes: emails name the one that they were sent with. */
const key = (organization: number, version: string) => ({
  PK: `ORG#${organization}#CONTENT`,
  SK: `LOOK#${version}`,
});

const DIGITS = 24;
const versionOf = (look: Look) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(look).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, DIGITS);

// What this process has read. Versions are deleted with their organization only. One has up to 360 KB.
const readIn = memoryOf<Look>(200);

export async function readVersion(
  table: Table,
  organization: number,
  version: string | undefined,
): Promise<Look | undefined> {
  if (!version) return undefined;
  const known = readIn(table);
  const name = `${organization}#${version}`;
  const remembered = known.get(name);
  if (remembered) return remembered;
  const found = await stored(table, organization, version);
  if (found) known.add(name, found);
  return found;
}

async function stored(table: Table, organization: number, version: string): Promise<Look | undefined> {
  const item = await get(table, key(organization, version));
  return storedOf<{ look: Look }>(item)?.look;
}

export const ofOrganization = async ({ table }: Needs, { id, look }: Organization) => ({
  look: (await readVersion(table, id, look)) ?? null,
});

export async function ofList({ table }: Needs, organization: Organization, list: List): Promise<ListLook> {
  const [look, inherited] = await Promise.all(
    [list.look, organization.look].map(version => readVersion(table, organization.id, version)),
  );
  return { look: look ?? null, inherited: inherited ?? null };
}

/** With null it has none, and its lists without one of their own are sent plain. */
export const changeOfOrganization = (needs: Changing, known: Organization, look: Look | null) =>
  assign(needs.table, known, {
    organization: known.id,
    look,
    read: async () => {
      const [found] = await organizationStore.readAll(needs.table, [known.id]);
      if (!found || found.deleted_at) throw organizationStore.organizationGone();
      return found;
    },
    write: ({ look: before }, version, writes) =>
      organizationStore.changeLook(needs.table, known.id, version, [
        ...writes,
        ...recorded(needs, known.id, { kind: 'organization', from: { look: before }, to: { look: version } }),
      ]),
  }).then(after => ofOrganization(needs, after));

/** With null it inherits that of the organization. */
export const changeOfList = (
  needs: Changing,
  organization: Organization,
  known: List,
  look: Look | null,
): Promise<ListLook> =>
  assign<List>(needs.table, known, {
    organization: known.organization_id,
    look,
    read: () => listStore.readExisting(needs.table, known),
    write: (before, look, writes) =>
      listStore.change(needs.table, before, {
        ...(look ? { set: { look } } : { drop: ['look'] }),
        others: [...writes, ...recordedWrites(needs, before, { ...before, look })],
      }),
  }).then(after => ofList(needs, organization, after));

type Assignment<T> = {
  organization: number;
  look: Look | null;
  read: () => Promise<T>;
  write: (before: T, version: string | undefined, others: Write[]) => Promise<T | undefined>;
};

/** Stores a version that there is not yet, and has its owner name it, in one transaction. */
const assign = <T extends { look?: string }>(
  table: Table,
  known: T,
  { organization, look, read, write }: Assignment<T>,
) =>
  optimistically<T, T>({
    known,
    read,
    write: async before => {
      const version = look ? versionOf(look) : undefined;
      if (version === before.look) return before;
      const isNew = look && version && !(await stored(table, organization, version));
      if (!isNew) return write(before, version, []);
      const after = await write(before, version, [
        putWrite(table, { ...key(organization, version), look }, ABSENT),
        content.reserveQuotaWrite(table, organization, 'look', { count: 1, most: MOST_VERSIONS }),
      ]);
      const { look: versions } = after ? { look: 0 } : await content.readCounts(table, organization);
      if (versions >= MOST_VERSIONS) throw new Refusal('conflict', FULL);
      return after;
    },
    conflict: CONFLICT,
  });

/** A design with its version, as batches name it. */
export type Versioned = Design & { version: string };

/** How the emails of a list look now; undefined where neither it nor its organization has a look. */
export async function designOf(
  { table, publicUrl }: { table: Table; publicUrl: string },
  list: List,
  organization: Pick<Organization, 'look'> | undefined,
): Promise<Versioned | undefined> {
  const version = list.look ?? organization?.look;
  const look = await readVersion(table, list.organization_id, version);
  return look && version
    ? { version, ...designWith(publicUrl, look, list.logo, publicNameOf(list)) }
    : undefined;
}

export const designWith = (
  publicUrl: string,
  look: Look,
  logo: string | undefined,
  name: string,
): Design => ({
  look,
  name,
  // A layout of one's own has its images in it.
  ...(logo && !look.layout && look.logo_align !== 'none' && { logo: `${publicUrl}${logo}` }),
});
