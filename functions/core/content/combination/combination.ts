import { createHash } from 'node:crypto';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automation from '#core/automation/automation.ts';
import { fromItem, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import { PART_NAMES } from '#shared/email/content.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';
import * as contentStore from '../content.store.ts';
import * as content from '../content.ts';
import * as store from './combination.store.ts';
import { type AssetText, type Combination, load, type TemplateText, type Text } from './load.ts';

type Choice = store.Choice;

const ID_LENGTH = 12;

const digest = (...texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('hex');

const numberOf = (...texts: string[]) => Number.parseInt(digest(...texts).slice(0, ID_LENGTH), 16);

/** Picks one of the ids: the same one for the same key, and another one for the next copy. */
function pick(ids: Set<string> | undefined, key: string, kind: string, copy: number): string | undefined {
  const sorted = [...(ids ?? [])].sort();
  return sorted[(numberOf(key, kind) + copy - 1) % sorted.length];
}

/** How many combinations there are to choose from. */
export function combinationsOf(linked: automationStore.Linked): number {
  if (linked.template?.size) return linked.template.size;
  return automation.eligibilityOf(linked).is_eligible ? productOf(linked) : 0;
}

const productOf = (linked: automationStore.Linked) =>
  PART_NAMES.reduce((product, part) => product * (linked[part]?.size || 1), 1);

type Chosen = {
  copy?: number;
  /** If there are too many combinations, keys with the same `within` choose from the same ones. */
  within?: string;
};

/**
 * The content that a key chooses: one of the active templates of an automation, or without any an active asset of each
 * type. Returns undefined if there is neither.
 */
export function choice(
  linked: automationStore.Linked,
  key: string,
  { copy = 1, within = '' }: Chosen = {},
): Choice | undefined {
  const template_id = pick(linked.template, key, 'template', copy);
  if (template_id !== undefined) return { id: template_id, template_id };
  if (!automation.eligibilityOf(linked).is_eligible) return undefined;
  const chosen =
    productOf(linked) > MOST_COMBINATIONS ? `${within}${numberOf(key) % MOST_COMBINATIONS}` : key;
  const assets = Object.fromEntries(
    PART_NAMES.flatMap(part => {
      const id = pick(linked[part], chosen, part, copy);
      return id === undefined ? [] : [[part, id]];
    }),
  );
  return { id: digest(...Object.values(assets).sort()).slice(0, ID_LENGTH), assets };
}

/** The keys of the items that say what a combination consists of. A template is a combination even before it is sent. */
export const keysOf = (organizationId: number, id: string): Key[] => {
  const keys = content.keysOf(organizationId, 'template', id);
  return keys.length > 0 ? [store.key(organizationId, id), ...keys] : [];
};

/** What a combination consists of. Returns undefined if it does not exist. */
export function foundIn(items: Item[]): Choice | undefined {
  const stored = items.find(({ SK }) => String(SK).startsWith('COMBO#'));
  return stored ? fromItem<Choice>(stored) : ofTemplates(items.map(fromItem<Text>))[0];
}

/**
 * What these combinations consist of, in no particular order. The read is not consistent, since a stored choice never
 * changes.
 */
export async function choicesOf(table: Table, organizationId: number, ids: string[]): Promise<Choice[]> {
  const stored = await store.readThese(table, organizationId, ids, { consistent: false });
  const known = new Set(stored.map(({ id }) => id));
  const others = ids.filter(id => !known.has(id));
  return [...stored, ...ofTemplates(await contentStore.readTexts<Text>(table, organizationId, others))];
}

/** The choices of the templates among these texts. */
const ofTemplates = (texts: Partial<TemplateText>[]): Choice[] =>
  texts.flatMap(({ id, subject_line, pre_cta_content }) =>
    id && subject_line !== undefined && pre_cta_content !== undefined ? [{ id, template_id: id }] : [],
  );

/**
 * The content that a seed chooses for an automation. Chooses from its assets, unless it has templates and these are to be
 * used.
 */
export async function choose(
  { table }: { table: Table },
  organizationId: number,
  automationId: string,
  { seed, useTemplates = true }: { seed: string; useTemplates?: boolean | undefined },
): Promise<Combination | undefined> {
  const { template, ...assets } =
    (await automationStore.readLinked(table, organizationId, [automationId])).get(automationId) ?? {};
  const chosen = choice(useTemplates && template ? { template } : assets, seed);
  return chosen && load(table, organizationId, chosen);
}

/** The subject of a combination, as its author wrote it. */
export type Subject = Pick<Combination, 'id' | 'template_id' | 'language'> & { subject: string };

/**
 * The subjects of some combinations, by id. Reads no other content: for a template it reads what lists show of it, unless
 * it is deleted.
 */
export async function subjects(
  table: Table,
  organizationId: number,
  ids: string[],
): Promise<Map<string, Subject>> {
  const choices = await store.readThese(table, organizationId, ids);
  const templates = choices.flatMap(({ template_id }) => template_id ?? []);
  const heads = await contentStore.readTheseHeads<TemplateHead>(table, organizationId, 'template', templates);
  const known = new Set(heads.map(({ id }) => id));
  const texts = await contentStore.readTexts<TemplateText | AssetText>(table, organizationId, [
    ...templates.filter(id => !known.has(id)),
    ...choices.flatMap(({ assets }) => assets?.subject_line ?? []),
  ]);
  const byId = new Map([...heads, ...texts].map(text => [text.id, text]));
  return new Map(
    choices.flatMap(({ id, template_id, assets }) => {
      const text = byId.get(template_id ?? assets?.subject_line ?? '');
      if (!text) return [];
      if ('value' in text) return [[id, { id, subject: text.value }]];
      const { subject_line: subject, language_code: language } = text;
      return [[id, { id, language, subject, ...(template_id && { template_id }) }]];
    }),
  );
}

type TemplateHead = contentStore.Head & Pick<TemplateText, 'subject_line' | 'language_code'>;
