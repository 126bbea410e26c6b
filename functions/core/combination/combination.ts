import { createHash } from 'node:crypto';
import type { Content, Part } from '../../../shared/email/content.ts';
import { PARTS, REQUIRED_PARTS } from '../../../shared/email/content.ts';
import type { Language } from '../../../shared/email/language.ts';
import * as automation from '../automation/automation.ts';
import * as content from '../content/content.ts';
import type { Table } from '../table.store.ts';

/** The content of one email: a template, or one asset for each part. */
export type Combination = {
  /** The template's id, or one made of the assets' ids. */
  id: string;
  /** Undefined where it consists of assets. */
  template_id?: string;
  /** Undefined where it consists of assets, which have none of their own. */
  language?: Language;
  content: Content;
};

const ID_LENGTH = 12;

const digest = (...texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('hex');

/** One of the ids: the same one for the same key. */
function pick(ids: Set<string> | undefined, key: string, kind: string): string | undefined {
  const sorted = [...(ids ?? [])].sort();
  return sorted[Number.parseInt(digest(key, kind).slice(0, ID_LENGTH), 16) % sorted.length];
}

/**
 * The content that a key chooses: one of the active templates of an automation, else one of its active assets of each
 * type. Undefined where there is none, or where it was deleted at this moment.
 */
export async function choose(
  { table }: { table: Table },
  organizationId: number,
  automationId: string,
  key: string,
): Promise<Combination | undefined> {
  const linked = (await automation.readLinked(table, organizationId, [automationId])).get(automationId) ?? {};
  const template = pick(linked.template, key, 'template');
  return template === undefined
    ? chooseAssets({ table }, organizationId, linked, key)
    : readTemplate({ table }, organizationId, template);
}

type TemplateText = Content & { id: string; language_code: Language; deleted_at?: string };

async function readTemplate(
  { table }: { table: Table },
  organizationId: number,
  id: string,
): Promise<Combination | undefined> {
  const [text] = await content.readTexts<TemplateText>(table, organizationId, [id]);
  if (!text || text.deleted_at) return undefined;
  return { id, template_id: id, language: text.language_code, content: text };
}

type AssetText = { id: string; type: Part; value: string; deleted_at?: string };

async function chooseAssets(
  { table }: { table: Table },
  organizationId: number,
  linked: automation.Linked,
  key: string,
): Promise<Combination | undefined> {
  if (!automation.eligibilityOf(linked).is_eligible) return undefined;
  const ids = (Object.keys(PARTS) as Part[]).flatMap(part => pick(linked[part], key, part) ?? []);
  const texts = (await content.readTexts<AssetText>(table, organizationId, ids)).filter(
    ({ deleted_at }) => !deleted_at,
  );
  const values = Object.fromEntries(texts.map(({ type, value }) => [type, value]));
  if (!REQUIRED_PARTS.every(part => values[part] !== undefined)) return undefined;
  const id = digest(...texts.map(text => text.id).sort()).slice(0, ID_LENGTH);
  return { id, content: values as Content };
}
