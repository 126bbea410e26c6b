import * as combinations from '#core/content/combination.ts';
import * as content from '#core/content/content.store.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import type { Active } from '#core/organization/organization.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import type { Table } from '#core/storage/table.store.ts';
import { PART_NAMES, type Part } from '#shared/email/content.ts';
import type { PartTexts } from '#shared/part-texts.ts';
import type { Figures, ReportRow } from '#shared/reporting.ts';

export type Described = Omit<ReportRow, keyof Figures | 'automation_ids' | 'value_per_send_range'> & {
  /** The names of its assets, for those that have one. */
  asset_names: Partial<Record<Part, string>>;
};

// The keys of one request.
const AT_ONCE = 100;
const MOST_REQUESTS = 10;

async function readAll<T>(ids: string[], read: (chunk: string[]) => Promise<T[]>): Promise<T[]> {
  const unique = [...new Set(ids)];
  return (await inParallel(chunksOf(unique, AT_ONCE), MOST_REQUESTS, read)).flat();
}

type Text = { id: string; name: string | null; version?: number } & Partial<Record<Part, string | null>> & {
    type?: Part;
    value?: string;
  };

/** In no particular order. */
export const readChoices = (table: Table, organization: number, ids: string[]) =>
  readAll(ids, chunk => combinations.choicesOf(table, organization, chunk));

/** What these assets or templates are called, and what is written in them. */
export const readNamed = async (table: Table, organization: number, ids: string[]) =>
  byId(await readAll(ids, chunk => content.readTexts<Text>(table, organization, chunk)));

/** In the order of the ids. Deleted ones are described too, as their texts are kept. */
export async function described(table: Table, active: Active, ids: string[]): Promise<Described[]> {
  return describedOf(table, active, ids, await readChoices(table, active.organization.id, ids));
}

export async function describedOf(
  table: Table,
  active: Active,
  ids: string[],
  choices: combinations.Choice[],
): Promise<Described[]> {
  const organization = active.organization.id;
  const templateIds = choices.flatMap(({ template_id }) => template_id ?? []);
  const assetIds = choices.flatMap(({ assets = {} }) => Object.values(assets));
  const [templates, assets, texts] = await Promise.all([
    readAll(templateIds, chunk => emailTemplates.states({ table }, active, chunk)),
    readAll(assetIds, chunk => content.readTheseHeads(table, organization, 'asset', chunk)),
    readAll([...templateIds, ...assetIds], chunk => content.readTexts<Text>(table, organization, chunk)),
  ]);
  const known = {
    choices: byId(choices),
    templates: byId(templates),
    assets: byId(assets),
    texts: byId(texts),
  };
  return ids.map(id => {
    const choice = known.choices.get(id) ?? { id };
    return choice.template_id === undefined ? ofAssets(choice, known) : ofTemplate(choice.template_id, known);
  });
}

const byId = <T extends { id: string }>(all: T[]) => new Map(all.map(item => [item.id, item]));

type ReadContent = {
  templates: Map<string, emailTemplates.State>;
  assets: Map<string, content.Head>;
  texts: Map<string, Text>;
};

function ofTemplate(id: string, { templates, texts }: ReadContent): Described {
  const state = templates.get(id);
  const text = texts.get(id);
  const name = state?.name ?? text?.name ?? '';
  const version = state ? state.version : text?.version;
  return {
    id,
    type: 'template',
    template_id: id,
    template_name: name,
    ...(version !== undefined && { version }),
    combination: name,
    is_active: state?.is_active ?? false,
    is_deleted: !state,
    can_edit: state?.can_edit ?? false,
    asset_ids: {},
    asset_names: {},
    assets: textsOf(part => text?.[part]),
  };
}

const SEPARATOR = ' / ';

function ofAssets(
  { id, assets: asset_ids = {} }: combinations.Choice,
  { assets, texts }: ReadContent,
): Described {
  const heads = Object.values(asset_ids).map(asset => assets.get(asset));
  const named = PART_NAMES.flatMap(part => {
    const name = texts.get(asset_ids[part] ?? '')?.name;
    return name ? [[part, name] as const] : [];
  });
  const names = named.map(([, name]) => name);
  return {
    id,
    type: 'asset',
    template_id: null,
    template_name: null,
    combination: names.join(SEPARATOR),
    is_active: heads.length > 0 && heads.every(head => head?.is_active),
    is_deleted: heads.length === 0 || heads.includes(undefined),
    can_edit: false,
    asset_ids,
    asset_names: Object.fromEntries(named),
    assets: textsOf(part => texts.get(asset_ids[part] ?? '')?.value),
  };
}

const textsOf = (textOf: (part: Part) => string | null | undefined): PartTexts =>
  Object.fromEntries(PART_NAMES.map(part => [part, textOf(part) ?? null])) as PartTexts;
