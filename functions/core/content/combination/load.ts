import type { Table } from '#core/storage/table.store.ts';
import type { Content, Part } from '#shared/email/content.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import type { Language } from '#shared/email/language.ts';
import * as content from '../content.store.ts';
import type { Choice } from './combination.store.ts';

/** The content of one email: a template, or one asset for each part. */
export type Combination = {
  /** The id of the template, or an id that is made of the ids of the assets. */
  id: string;
  /** Undefined if it consists of assets. */
  template_id?: string;
  /** Undefined if it consists of assets, which have no language. */
  language?: Language;
  content: Content;
};

export type Text = { id: string; deleted_at?: string };
export type TemplateText = Text & Content & { language_code: Language };
export type AssetText = Text & { type: Part; value: string };

/** The ids of the texts that a combination consists of. */
export const textIdsOf = ({ template_id, assets = {} }: Choice): string[] =>
  template_id === undefined ? Object.values(assets) : [template_id];

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

/** Combines the texts of a choice. Returns undefined if one of them is missing. */
export const combined = ({ id, template_id }: Choice, texts: Text[]): Combination | undefined =>
  template_id === undefined ? ofAssets(id, texts as AssetText[]) : ofTemplate(id, texts as TemplateText[]);

const ofTemplate = (id: string, [text]: TemplateText[]): Combination | undefined =>
  text && { id, template_id: id, language: text.language_code, content: text };

function ofAssets(id: string, texts: AssetText[]): Combination | undefined {
  const values = Object.fromEntries(texts.map(({ type, value }) => [type, value]));
  if (!REQUIRED_PARTS.every(part => values[part] !== undefined)) return undefined;
  return { id, content: values as Content };
}
