import type { LinkKind, StoredAutomation } from '#core/automation/automation.store.ts';
import type { Changing } from '#core/organization/record.ts';
import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type {
  AutomationContent,
  AutomationContentChange,
  LinkedAsset,
  LinkedTemplate,
} from '#shared/automation-content.ts';
import { MOST_LINKED } from '#shared/automation-link.ts';
import type { Warnings } from '#shared/content-check.ts';
import { PART_NAMES, type Part } from '#shared/email/content.ts';
import type { Language } from '#shared/email/language.ts';
import * as combination from './combination.ts';
import * as content from './content.store.ts';
import * as contentChange from './content.ts';
import { columnsIn, warningsFor } from './content-check.ts';
import * as emailAsset from './email-asset.ts';
import * as emailTemplate from './email-template.ts';

type Needs = { table: Table };

type AssetHead = content.Head & { type: Part; name: string | null; excerpt: string };
type TemplateHead = content.Head & { name: string; subject_line: string; language_code: Language };
type Text = { id: string; value?: string } & Partial<Record<Part, string | null>>;

/** How much content is listed, of how much of it the texts are read, and how many characters of text a response has. */
const MOST_LISTED = 500;
const MOST_READ = 200;
const MOST_TEXT = 500_000;
const EXCERPT = 120;

export async function detail({ table }: Needs, automation: StoredAutomation): Promise<AutomationContent> {
  const { organization_id: organization, id } = automation;
  const [templates, assets] = await Promise.all([
    content.readHeads<TemplateHead>(table, organization, 'template'),
    content.readHeads<AssetHead>(table, organization, 'asset'),
  ]);
  const used: Used[] = [
    ...linkedTo(id, templates).map((head, rank) => ({ kind: 'template' as const, head, rank })),
    ...PART_NAMES.flatMap(type =>
      linkedTo(
        id,
        assets.filter(head => head.type === type),
      ).map((head, rank) => ({ kind: type, head, rank })),
    ),
  ];
  // The first one of each type, then the second one of each: so the first ones make whole emails.
  const listed = used.sort((a, b) => a.rank - b.rank).slice(0, MOST_LISTED);
  const texts = await readTexts({ table }, organization, listed);
  const warnings = await warningsOf({ table }, automation, texts);
  const details = new Map(
    fitting([...texts.values()]).map(({ text, fits }) => [
      text.id,
      {
        columns: columnsIn(partsOf(text)),
        warnings: warnings.get(text.id) ?? [],
        text: fits ? text : undefined,
      },
    ]),
  );
  const linked = activeAmong(used);
  return {
    ...shown(listed, details),
    left_out: used.length - listed.length,
    active: {
      templates: linked.template?.size ?? 0,
      assets: Object.fromEntries(PART_NAMES.map(type => [type, linked[type]?.size ?? 0])) as Record<
        Part,
        number
      >,
    },
    combinations: combination.combinationsOf(linked),
  };
}

type Used = { rank: number } & ({ kind: 'template'; head: TemplateHead } | { kind: Part; head: AssetHead });

const linkedTo = <H extends content.Head>(automation: string, heads: H[]): H[] =>
  heads
    .filter(({ automation_ids }) => automation_ids?.has(automation))
    .sort((a, b) => Number(b.is_active) - Number(a.is_active) || content.newestFirst(a, b));

const activeAmong = (used: Used[]): Partial<Record<LinkKind, Set<string>>> => {
  const active = used.filter(({ head }) => head.is_active);
  const kinds = Map.groupBy(active, ({ kind }) => kind);
  return Object.fromEntries(
    [...kinds].map(([kind, contents]) => [kind, new Set(contents.map(({ head }) => head.id))]),
  );
};

async function readTexts({ table }: Needs, organization: number, listed: Used[]): Promise<Map<string, Text>> {
  const ids = listed.slice(0, MOST_READ).map(({ head }) => head.id);
  const texts = await content.readTexts<Text>(table, organization, ids);
  const byId = new Map(texts.map(text => [text.id, text]));
  return new Map(ids.flatMap(id => (byId.has(id) ? [[id, byId.get(id) as Text]] : [])));
}

const partsOf = ({ value, ...text }: Text): (string | null | undefined)[] =>
  value === undefined ? PART_NAMES.map(part => text[part]) : [value];

function fitting(texts: Text[]): { text: Text; fits: boolean }[] {
  let left = MOST_TEXT;
  return texts.map(text => {
    left -= partsOf(text).reduce((sum, part) => sum + (part?.length ?? 0), 0);
    return { text, fits: left >= 0 };
  });
}

async function warningsOf(
  needs: Needs,
  { organization_id, id }: StoredAutomation,
  texts: Map<string, Text>,
): Promise<Map<string, string[]>> {
  const fields = [...texts.values()].flatMap(text =>
    partsOf(text).map((part, index) => [`${text.id} ${index}`, part] as const),
  );
  const found: Warnings = await warningsFor(needs, organization_id, Object.fromEntries(fields), [id]);
  const warnings = new Map<string, string[]>();
  for (const [field, sentences] of Object.entries(found)) {
    const [content = ''] = field.split(' ');
    warnings.set(content, [...new Set([...(warnings.get(content) ?? []), ...sentences])]);
  }
  return warnings;
}

type Details = Map<string, { columns: string[]; warnings: string[]; text: Text | undefined }>;

function shown(listed: Used[], details: Details): { templates: LinkedTemplate[]; assets: LinkedAsset[] } {
  const templates: LinkedTemplate[] = [];
  const assets: LinkedAsset[] = [];
  for (const { kind, head } of listed) {
    const { columns = null, warnings = [], text } = details.get(head.id) ?? {};
    const same = { id: head.id, is_active: head.is_active, columns, warnings };
    if (kind === 'template') {
      const { name, subject_line, language_code } = head;
      const texts = text
        ? (Object.fromEntries(PART_NAMES.map(part => [part, text[part] ?? null])) as Parts)
        : null;
      templates.push({ ...same, name, subject_line, language_code, texts });
    } else {
      const { name, type, excerpt } = head;
      assets.push({ ...same, name, type, excerpt: excerpt.slice(0, EXCERPT), value: text?.value ?? null });
    }
  }
  return { templates, assets };
}

type Parts = Record<Part, string | null>;

/** Each is changed by itself, so a repetition changes nothing. Everything is checked before the first change. */
export async function relink(
  needs: Changing,
  active: Parameters<typeof emailTemplate.relink>[1],
  { organization_id, id }: Pick<StoredAutomation, 'organization_id' | 'id'>,
  { link, unlink }: AutomationContentChange,
): Promise<void> {
  const found = await contentChange.findAny(needs.table, organization_id, { link, unlink });
  const changes = found.filter(
    ({ head }) => contentChange.linkedTo(head).includes(id) !== link.includes(head.id),
  );
  emailTemplate.requireRelinkable(
    active,
    changes.filter(({ kind }) => kind === 'template').map(({ head }) => head),
  );
  const isLinked = ({ head }: contentChange.FoundContent) => link.includes(head.id);
  for (const { head } of changes.filter(isLinked)) {
    const isFull = contentChange.linkedTo(head).length >= MOST_LINKED;
    if (isFull) withLink(id)(await contentChange.existingLinks(needs.table, head));
  }
  // Links before it unlinks: an automation whose content is replaced always has something to send.
  for (const change of changes.sort((a, b) => Number(isLinked(b)) - Number(isLinked(a)))) {
    const { head, kind } = change;
    const links = isLinked(change) ? withLink(id) : withoutLink(id);
    if (kind === 'template') await emailTemplate.relink(needs, active, head, links);
    else await emailAsset.relink(needs, head, links);
  }
}

export async function change(
  needs: Changing,
  active: Parameters<typeof emailTemplate.relink>[1],
  automation: StoredAutomation,
  to: AutomationContentChange,
): Promise<AutomationContent> {
  await relink(needs, active, automation, to);
  return detail(needs, automation);
}

const withoutLink = (automation: string) => (linked: string[]) => linked.filter(id => id !== automation);

const withLink = (automation: string) => (linked: string[]) => {
  if (linked.includes(automation)) return linked;
  if (linked.length < MOST_LINKED) return [...linked, automation];
  throw invalid('link', `Content can be linked to at most ${MOST_LINKED} automations`);
};
