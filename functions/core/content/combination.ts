import { createHash } from 'node:crypto';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automation from '#core/automation/automation.ts';
import {
  fromItem,
  get,
  getStored,
  type Item,
  type Key,
  memoryOf,
  type Reading,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import { ABSENT, putItem } from '#core/storage/write.store.ts';
import { type Content, PART_NAMES, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import type { Language } from '#shared/email/language.ts';
import { UNSUBSCRIBE, variablesOf } from '#shared/email/placeholder.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';
import * as content from './content.store.ts';

export type Choice = { id: string; template_id?: string; assets?: Partial<Record<Part, string>> };

export const key = (organization: number, id: string) => ({
  PK: `ORG#${organization}#CONTENT`,
  SK: `COMBO#${id}`,
});

/** Stores what a combination consists of, once: reports need it, and a sender that resumes the work of another one. */
export const insert = (table: Table, organization: number, choice: Choice) =>
  putItem(table, { ...key(organization, choice.id), ...choice }, ABSENT);

export const read = async (table: Table, organization: number, id: string, reading?: Reading) =>
  storedOf<Choice>(await get(table, key(organization, id), reading));

export const readThese = (
  table: Table,
  organization: number,
  ids: string[],
  reading?: Reading,
): Promise<Choice[]> =>
  getStored(
    table,
    ids.map(id => key(organization, id)),
    reading,
  );

export type Combination = {
  /** The id of the template, or an id that is made of the ids of the assets. */
  id: string;
  /** Undefined if it consists of assets. */
  template_id?: string;
  /** Undefined if it consists of assets, which have no language. */
  language?: Language;
  content: Content;
};

const ID_LENGTH = 12;

const digest = (...texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('hex');

const numberOf = (...texts: string[]) => Number.parseInt(digest(...texts).slice(0, ID_LENGTH), 16);

/** Picks one of the ids: the same one for the same key, and another one for the next copy. */
function pick(ids: Set<string> | undefined, key: string, kind: string, copy: number): string | undefined {
  const sorted = [...(ids ?? [])].sort();
  if (sorted.length < 2) return sorted[0];
  return sorted[(numberOf(key, kind) + copy - 1) % sorted.length];
}

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

/** One of the active templates, or without any an active asset of each type. Undefined if there is neither. */
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
  return ofParts(assets);
}

const ofParts = (assets: Partial<Record<Part, string>>): Choice => ({
  id: digest(...Object.values(assets).sort()).slice(0, ID_LENGTH),
  assets,
});

type Weights = Map<string, number>;
type Weighed = Map<automationStore.LinkKind, Weights>;

/**
 * What may be chosen on a day with shares. What was linked since it began has none, and is chosen only where there is nothing
 * else of its kind; another wording has that of the one before, and what is switched off leaves its share to the others.
 */
export function weighed(linked: automationStore.Linked, shares: automationStore.Shares): Weighed | undefined {
  const earlier = automationStore.earlierWordings(linked);
  const known = (kind: automationStore.LinkKind): Weights => {
    const shareOf = (id: string | undefined): number | undefined =>
      id === undefined ? undefined : (shares[kind]?.[id] ?? shareOf(earlier.get(id)));
    return new Map(
      [...(linked[kind] ?? [])].flatMap(id => {
        const share = shareOf(id);
        return share === undefined ? [] : [[id, share] as const];
      }),
    );
  };
  const template = known('template');
  if (template.size > 0) return new Map([['template', template]]);
  const { template: templates = new Set<string>() } = linked;
  const isNew = templates.size > 0 && !REQUIRED_PARTS.every(part => known(part).size > 0);
  if (isNew) return new Map([['template', equalWeights(templates)]]);
  if (!automation.eligibilityOf({ ...linked, template: new Set() }).is_eligible) return undefined;
  return new Map(
    PART_NAMES.flatMap(part => {
      const [ids, weights] = [linked[part] ?? new Set<string>(), known(part)];
      return ids.size > 0 ? [[part, weights.size > 0 ? weights : equalWeights(ids)] as const] : [];
    }),
  );
}

const equalWeights = (ids: Iterable<string>): Weights => new Map([...ids].map(id => [id, 1]));

/** One email of so many is chosen at equal shares: they show what the shares gain. */
const EQUAL_OF = 10;

export type Drawn = {
  choice: Choice;
  /** How often this content is chosen for emails as this one. */
  share: number;
  /** By shares, and not as one of those at equal ones. */
  weighted: boolean;
};

/** The same, by the shares of a day. */
export function drawn(
  linked: automationStore.Linked,
  shares: automationStore.Shares,
  key: string,
  { copy = 1, within = '' }: Chosen = {},
): Drawn | undefined {
  const kinds = preparedOf(linked, shares);
  if (!kinds) return undefined;
  const weighted = numberOf(key, 'equal') % EQUAL_OF !== 0;
  const product = kinds.reduce((product, { ids }) => product * ids.length, 1);
  const chosen = product > MOST_COMBINATIONS ? `${within}${numberOf(key) % MOST_COMBINATIONS}` : key;
  const picked = kinds.map(({ kind, ids, total }) => {
    const { id, weight } = pickWeighted(ids, wordsOf(chosen, kind), { weighted, copy });
    return { kind, id, share: weighted ? weight / total : 1 / ids.length };
  });
  const ids = Object.fromEntries(picked.map(({ kind, id }) => [kind, id]));
  const { template: template_id } = ids;
  const choice = template_id === undefined ? ofParts(ids) : { id: template_id, template_id };
  const share = picked.reduce((product, { share }) => product * share, 1);
  return { choice, share: Number(share.toPrecision(6)), weighted };
}

type Words = readonly [number, number];
type Prepared = { kind: string; total: number; ids: { id: string; weight: number; words: Words }[] }[];

const prepared = new WeakMap<
  automationStore.Shares,
  { linked: automationStore.Linked; kinds: Prepared | undefined }
>();

/** Once for all emails of a pack. */
function preparedOf(linked: automationStore.Linked, shares: automationStore.Shares): Prepared | undefined {
  const known = prepared.get(shares);
  if (known?.linked === linked) return known.kinds;
  const all = weighed(linked, shares);
  const kinds =
    all &&
    [...all].map(([kind, weights]) => ({
      kind,
      total: [...weights.values()].reduce((sum, weight) => sum + weight, 0),
      ids: [...weights].map(([id, weight]) => ({ id, weight, words: wordsOf(id) })),
    }));
  prepared.set(shares, { linked, kinds });
  return kinds;
}

function wordsOf(...texts: string[]): Words {
  const bytes = createHash('sha256').update(texts.join('\n')).digest();
  return [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
}

/** Between 0 and 1, the same one for the same words. A part has up to 1,000 ids, too many for a SHA-256 of each with each email. */
function uniformOf([a, b]: Words, [c, d]: Words): number {
  const high = mixed(a ^ c);
  const low = mixed(b ^ d ^ high);
  return (high * 2 ** 20 + (low >>> 12) + 0.5) / 2 ** 52;
}

/** The finalizer of MurmurHash3. */
function mixed(word: number): number {
  const first = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

/**
 * Weighted rendezvous hashing: the id with the greatest ln(u) / weight is chosen in proportion to the weights, and a change of
 * these moves only as many emails as it must. The next copy takes the next best.
 */
function pickWeighted(
  ids: Prepared[number]['ids'],
  words: Words,
  { weighted, copy }: { weighted: boolean; copy: number },
) {
  const scored = ids.map(one => ({
    ...one,
    score: Math.log(uniformOf(words, one.words)) / (weighted ? one.weight : 1),
  }));
  scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return scored[(copy - 1) % scored.length] as (typeof scored)[number];
}

/** The keys of the items that say what a combination consists of. A template is a combination even before it is sent. */
export const keysOf = (organizationId: number, id: string): Key[] => {
  const keys = content.keysOf(organizationId, 'template', id);
  return keys.length > 0 ? [key(organizationId, id), ...keys] : [];
};

export function foundIn(items: Item[]): Choice | undefined {
  const stored = items.find(({ SK }) => String(SK).startsWith('COMBO#'));
  return stored ? fromItem<Choice>(stored) : ofTemplates(items.map(fromItem<Text>))[0];
}

/** The read is not consistent, since a stored choice never changes. */
export async function choicesOf(table: Table, organizationId: number, ids: string[]): Promise<Choice[]> {
  const stored = await readThese(table, organizationId, ids, { consistent: false });
  const known = new Set(stored.map(({ id }) => id));
  const others = ids.filter(id => !known.has(id));
  return [...stored, ...ofTemplates(await content.readTexts<Text>(table, organizationId, others))];
}

const ofTemplates = (texts: Partial<TemplateText>[]): Choice[] =>
  texts.flatMap(({ id, subject_line, pre_cta_content }) =>
    id && subject_line !== undefined && pre_cta_content !== undefined ? [{ id, template_id: id }] : [],
  );

/** Chooses from the assets, unless there are templates and these are to be used. */
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

export type Subject = Pick<Combination, 'id' | 'template_id' | 'language'> & { subject: string };

/** Of a template it reads what lists show of it, unless it is deleted, and no other content. */
export async function subjects(
  table: Table,
  organizationId: number,
  ids: string[],
): Promise<Map<string, Subject>> {
  const choices = await readThese(table, organizationId, ids);
  const templates = choices.flatMap(({ template_id }) => template_id ?? []);
  const heads = await content.readTheseHeads<TemplateHead>(table, organizationId, 'template', templates);
  const known = new Set(heads.map(({ id }) => id));
  const texts = await content.readTexts<TemplateText | AssetText>(table, organizationId, [
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

type TemplateHead = content.Head & Pick<TemplateText, 'subject_line' | 'language_code'>;

export type EmailContent = Combination & { placeholders: string[] };

export type Contents = {
  /** Stores what a combination consists of, so that it can be found by its id, and returns its content. */
  ofChoice: (choice: Choice) => Promise<EmailContent | undefined>;
};

/** The content of an organization's emails. Each text is read once, in however many combinations it is. */
export function contentsOf(table: Table, organization: number): Contents {
  const contents = new Map<string, Promise<EmailContent | undefined>>();
  const texts = new Map<string, Promise<Text | undefined>>();

  async function readContent(choice: Choice): Promise<EmailContent | undefined> {
    await insertOnce(table, organization, choice);
    const ids = textIdsOf(choice);
    const unread = ids.filter(id => !texts.has(id));
    if (unread.length > 0) {
      const found = content.readTexts<Text>(table, organization, unread);
      for (const id of unread) {
        cached(
          texts,
          id,
          found.then(all => all.find(text => text.id === id)),
        );
      }
    }
    const all = await Promise.all(ids.map(id => texts.get(id)));
    const combination = combined(
      choice,
      all.filter(text => text !== undefined),
    );
    return combination && { ...combination, placeholders: placeholdersIn(combination) };
  }

  return {
    ofChoice(choice) {
      return contents.get(choice.id) ?? cached(contents, choice.id, readContent(choice));
    },
  };
}

/** Caches a read. A failed one is removed, so that it is repeated the next time. */
function cached<T>(known: Map<string, Promise<T>>, id: string, value: Promise<T>): Promise<T> {
  known.set(id, value);
  value.catch(() => known.delete(id));
  return value;
}

function placeholdersIn({ content }: Combination): string[] {
  const parts = PART_NAMES.map(part => content[part] ?? '');
  const names = parts.flatMap(text => variablesOf(text).map(({ name }) => name));
  return [...new Set(names)].filter(name => name !== UNSUBSCRIBE).sort();
}

// The combinations of which this process knows that they are stored. They are deleted with their organization only.
const storedIn = memoryOf<true>(50_000);

async function insertOnce(table: Table, organization: number, choice: Choice): Promise<void> {
  const known = storedIn(table);
  const name = `${organization}#${choice.id}`;
  if (known.get(name)) return;
  // A read costs half as much as a write whose condition fails.
  const found = await read(table, organization, choice.id, { consistent: false });
  if (!found) await insert(table, organization, choice);
  known.add(name, true);
}

/** Reads the content of a choice. Returns undefined if some of it was deleted, unless deleted content is wanted too. */
export async function load(
  table: Table,
  organizationId: number,
  choice: Choice,
  { withDeleted = false } = {},
): Promise<Combination | undefined> {
  const texts = await content.readTexts<Text>(table, organizationId, textIdsOf(choice));
  if (!withDeleted && texts.some(({ deleted_at }) => deleted_at)) return undefined;
  return combined(choice, texts);
}

export type Text = { id: string; deleted_at?: string };
type TemplateText = Text & Content & { language_code: Language };
type AssetText = Text & { type: Part; value: string };

const textIdsOf = ({ template_id, assets = {} }: Choice): string[] =>
  template_id === undefined ? Object.values(assets) : [template_id];

const combined = ({ id, template_id }: Choice, texts: Text[]): Combination | undefined =>
  template_id === undefined ? ofAssets(id, texts as AssetText[]) : ofTemplate(id, texts as TemplateText[]);

const ofTemplate = (id: string, [text]: TemplateText[]): Combination | undefined =>
  text && { id, template_id: id, language: text.language_code, content: text };

function ofAssets(id: string, texts: AssetText[]): Combination | undefined {
  const values = Object.fromEntries(texts.map(({ type, value }) => [type, value]));
  if (!REQUIRED_PARTS.every(part => values[part] !== undefined)) return undefined;
  return { id, content: values as Content };
}
