import * as automation from '#core/automation/automation.ts';
import { newId } from '#core/id.ts';
import type { Changing } from '#core/organization/record.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { optimistically } from '#core/storage/write.store.ts';
import { MOST_LINKED } from '#shared/automation-link.ts';
import type { ContentCheck } from '#shared/content-check.ts';
import type { AssetsQuery } from '#shared/content-query.ts';
import { faultsOfAsset, LINES, oneLine } from '#shared/content-rules.ts';
import { PART_NAMES, type Part } from '#shared/email/content.ts';
import {
  ASSET_EXISTS,
  ASSET_LOCKED,
  type CreatedEmailAsset,
  type EmailAsset,
  type EmailAssetChange,
  type EmailAssetDetail,
  type EmailAssetsPage,
  EXCERPT_LENGTH,
  type NewAssetVersion,
  NewEmailAsset,
} from '#shared/email-asset.ts';
import {
  type CreatedEmailAssetSet,
  existsAs,
  LINKED_TOO_OFTEN,
  type NewEmailAssetSet,
} from '#shared/email-asset-set.ts';
import * as content from './content.store.ts';
import * as contentChange from './content.ts';
import { checkDraft, type Draft, warningsField, warningsFor } from './content-check.ts';
import { createVersion as createVersionOf, versions } from './version.ts';

type Needs = Changing;

export type Head = content.Head & { type: Part; name: string | null; excerpt: string };
export type Text = { type: Part; name: string | null; value: string };
export type AssetWithText = { head: Head; text: Text };

export const EMAIL_ASSET: contentChange.ContentKind<Head> = {
  name: 'asset',
  linkKind: ({ type }) => type,
  notFound: 'Email asset not found',
  exists: () => invalid('value', ASSET_EXISTS),
};

export const keysOf = (organizationId: number, id: string) => content.keysOf(organizationId, 'asset', id);

export function found(items: Item[]): AssetWithText {
  const asset = content.fromItems<Head, Text>(items);
  if (asset) return asset;
  throw new Refusal('not-found', EMAIL_ASSET.notFound);
}

export async function create(
  needs: Needs,
  organization_id: number,
  fields: NewEmailAsset,
): Promise<CreatedEmailAsset> {
  const { automation_ids } = fields;
  const asset = drafted(needs, organization_id, fields);
  // Read before the asset is stored: if a read fails, a repetition of the call still creates the asset.
  const warnings = await warningsFor(needs, organization_id, { value: asset.text.value }, automation_ids);
  await contentChange.create(needs, EMAIL_ASSET, { ...asset, automationIds: automation_ids });
  return { ...shown(asset), ...warningsField(warnings) };
}

export async function createVersion(
  needs: Needs,
  { head: before }: AssetWithText,
  { value }: NewAssetVersion,
): Promise<CreatedEmailAsset> {
  const { organization_id, type, name } = before;
  requireValue(type, value);
  const linked = contentChange.linkedTo(before);
  const warnings = await warningsFor(needs, organization_id, { value }, linked);
  const { head: draft, text } = drafted(needs, organization_id, { type, name, value, is_active: true });
  const { hash, excerpt } = draft;
  const wording = { hash, shown: { excerpt }, text, field: 'value' };
  const head = await createVersionOf(needs, EMAIL_ASSET, before, wording);
  return { ...shown({ head, text }), ...warningsField(warnings) };
}

export function requireValue(type: Part, value: string): void {
  const faults = faultsOfAsset(type, value);
  if (faults.length > 0) throw new Refusal('invalid', faults.join(' '), { errors: { value: faults } });
}

export function drafted(
  { now }: { now: Date },
  organization_id: number,
  fields: Pick<NewEmailAsset, 'type' | 'name' | 'value' | 'is_active'>,
): AssetWithText {
  const { type, is_active } = fields;
  const value = storedValue(fields);
  const name = fields.name || null;
  const created_at = now.toISOString();
  const head: Head = {
    id: newId(),
    organization_id,
    type,
    name,
    excerpt: value.slice(0, EXCERPT_LENGTH),
    is_active,
    hash: content.hashOf('asset', type, value),
    created_at,
    updated_at: created_at,
  };
  return { head, text: { type, name, value } };
}

export const storedValue = ({ type, value }: { type: string; value: string }) =>
  LINES.includes(type) ? oneLine(value) : value;

export const check = (needs: { table: Table }, organizationId: number, draft: Draft): Promise<ContentCheck> =>
  checkDraft(needs, organizationId, draft, { schema: NewEmailAsset, texts: ['value'] });

export async function detail(
  { table }: { table: Table },
  { head, text }: AssetWithText,
): Promise<EmailAssetDetail> {
  const automations = await automation.named({ table }, head.organization_id, contentChange.linkedTo(head));
  return {
    emailAsset: shown({ head, text }),
    automations,
    versions: await versions(table, EMAIL_ASSET, head),
  };
}

export async function change(
  needs: Needs,
  asset: AssetWithText,
  { is_active, automation_ids, ...fields }: EmailAssetChange,
): Promise<EmailAssetDetail> {
  requireSameContent(asset, fields);
  const head = await contentChange.change(needs, EMAIL_ASSET, asset.head, { is_active, automation_ids });
  return detail(needs, { ...asset, head });
}

function requireSameContent({ head, text }: AssetWithText, to: Omit<EmailAssetChange, 'is_active'>): void {
  const { type, name } = head;
  const isChanged = {
    type: to.type !== undefined && to.type !== type,
    name: to.name !== undefined && (to.name || null) !== name,
    value:
      to.value !== undefined &&
      storedValue({ type, value: to.value }) !== storedValue({ type, value: text.value }),
  };
  const changed = Object.entries(isChanged).flatMap(([field, is]) => (is ? [field] : []));
  contentChange.requireUnchanged(ASSET_LOCKED, changed);
}

/** Changes which automations use an asset, based on its links at that time. */
export async function relink(
  needs: Needs,
  head: content.Head,
  links: (linked: string[]) => string[],
): Promise<void> {
  await contentChange.change(needs, EMAIL_ASSET, head as Head, { automation_ids: links });
}

export const remove = (needs: Needs, { head }: AssetWithText): Promise<void> =>
  contentChange.remove(needs, EMAIL_ASSET, head);

export async function page(
  { table }: { table: Table },
  organizationId: number,
  query: AssetsQuery,
): Promise<EmailAssetsPage> {
  const [all, options] = await Promise.all([
    content.readHeads<Head>(table, organizationId, 'asset'),
    automation.options({ table }, organizationId),
  ]);
  const heads = content.listed(all);
  const found = content
    .matching(heads, query, ({ name, excerpt }) => [name ?? '', excerpt])
    .filter(({ type }) => !query.types?.length || query.types.includes(type))
    .sort(content.newestFirst);
  const { rows, ...position } = content.pageOf(found, query);
  const linkable = await automation.withBroadcasts({ table }, organizationId, options, rows);
  return {
    data: rows.map(head => ({
      ...fieldsOf(head),
      excerpt: head.excerpt,
      automations: linkable.filter(option => head.automation_ids?.has(option.id)),
      versions: head.versions,
    })),
    ...position,
    total: heads.length,
    found: found.length,
  };
}

const fieldsOf = (head: Head) => ({
  id: head.id,
  name: head.name,
  type: head.type,
  is_active: head.is_active,
  version: content.numberOf(head),
  created_at: head.created_at,
  updated_at: head.updated_at,
});

export const shown = ({ head, text }: AssetWithText): EmailAsset => ({
  ...fieldsOf(head),
  value: text.value,
});

type Existing = contentChange.Existing<Head>;

/** All in one transaction. An asset that exists already is linked instead, so a repetition creates nothing. */
export async function createSet(
  needs: Needs,
  organization: number,
  fields: NewEmailAssetSet,
): Promise<CreatedEmailAssetSet> {
  const { name, is_active, automation_ids } = fields;
  const assets = PART_NAMES.flatMap(type => {
    const value = fields[type] ?? '';
    return value.trim() ? [drafted(needs, organization, { name, type, value, is_active })] : [];
  });
  const texts = Object.fromEntries(assets.map(({ text }) => [text.type, text.value]));
  const warnings = await warningsFor(needs, organization, texts, automation_ids);
  return optimistically<Existing[], CreatedEmailAssetSet>({
    read: () => readExisting(needs, organization, assets),
    write: async existing => {
      requireUsable(existing, fields);
      const isThere = new Set(existing.map(({ head }) => head.type));
      const created = assets.filter(({ head }) => !isThere.has(head.type));
      const set = { organization, is_active, automationIds: automation_ids, created, existing };
      if ((await contentChange.createTogether(needs, EMAIL_ASSET, set)) !== 'created') return undefined;
      return {
        created: created.map(shown),
        existing: existing.map(asset => shownExisting(needs, asset, texts, automation_ids)),
        ...warningsField(warnings),
      };
    },
    conflict: contentChange.CONFLICT,
  });
}

async function readExisting(
  { table }: Needs,
  organization: number,
  assets: AssetWithText[],
): Promise<Existing[]> {
  const hashes = assets.map(({ head }) => head.hash);
  const ids = await content.readIds(table, organization, hashes);
  const heads = await content.readTheseHeads<Head>(table, organization, 'asset', ids);
  const sorted = PART_NAMES.flatMap(type => heads.filter(head => head.type === type));
  return Promise.all(
    sorted.map(async head => ({ head, linked: await contentChange.existingLinks(table, head) })),
  );
}

function shownExisting(
  { now }: Needs,
  { head, linked }: Existing,
  texts: Record<string, string>,
  ids: string[],
): EmailAsset {
  const { type, name } = head;
  const isChanged = ids.some(id => !linked.includes(id));
  const after = isChanged ? { ...head, updated_at: now.toISOString() } : head;
  return shown({ head: after, text: { type, name, value: texts[type] ?? '' } });
}

function requireUsable(existing: Existing[], { is_active, automation_ids }: NewEmailAssetSet): void {
  const faults = existing.flatMap(({ head, linked }): [Part, string[]][] => {
    if (head.is_active !== is_active) return [[head.type, [existsAs(head.is_active)]]];
    const isTooMuch = new Set([...linked, ...automation_ids]).size > MOST_LINKED;
    return isTooMuch ? [[head.type, [LINKED_TOO_OFTEN]]] : [];
  });
  const [first] = faults;
  if (first) throw new Refusal('invalid', first[1].join(' '), { errors: Object.fromEntries(faults) });
}
