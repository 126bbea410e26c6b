import * as automation from '#core/automation/automation.ts';
import { newId } from '#core/id.ts';
import * as member from '#core/organization/member.ts';
import type { Active } from '#core/organization/organization.ts';
import type { Changing } from '#core/organization/record.ts';
import { inParallel } from '#core/parallel.ts';
import { invalid, parsed, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import type { ContentCheck } from '#shared/content-check.ts';
import type { TemplatesQuery } from '#shared/content-query.ts';
import { LINES, LONGEST_NAME, oneLine } from '#shared/content-rules.ts';
import { PART_NAMES, type Part } from '#shared/email/content.ts';
import type { Language } from '#shared/email/language.ts';
import {
  CONTENT_LOCKED,
  type CreatedEmailTemplate,
  type EmailTemplate,
  type EmailTemplateChange,
  type EmailTemplateDetail,
  type EmailTemplateRow,
  type EmailTemplatesSummary,
  NewEmailTemplate,
  type NewTemplateVersion,
  NO_MEMBER,
  TEMPLATE_EXISTS,
  type TemplateData,
  templateVersionAfter,
} from '#shared/email-template.ts';
import { byName, nameOfCopy } from '#shared/names.ts';
import { may } from '#shared/permissions.ts';
import * as content from './content.store.ts';
import * as contentChange from './content.ts';
import { checkDraft, type Draft, warningsField, warningsFor } from './content-check.ts';
import { createVersion as createVersionOf, versions } from './version.ts';

const EDIT = 'content:edit';

type Reads = { table: Table };
type Needs = Changing;

export type Head = content.Head & {
  name: string;
  subject_line: string;
  language_code: Language;
  /** A user, who owns the template as long as they are a member of the organization who may edit. */
  owner_id: string;
};
export type Text = Pick<EmailTemplate, Part> & { name: string; language_code: Language; version?: number };

export type TemplateWithRights = { head: Head; text: Text } & Rights;
type Rights = { is_owner: boolean; can_edit: boolean };

export const EMAIL_TEMPLATE: contentChange.ContentKind<Head> = {
  name: 'template',
  linkKind: () => 'template',
  notFound: "Template not found or you don't have permission to view it.",
  exists: () => invalid('template', TEMPLATE_EXISTS),
};

export const contentOf = (text: Pick<Text, Part>) =>
  Object.fromEntries(PART_NAMES.map(part => [part, text[part]])) as Pick<Text, Part>;

export const written = ({
  name,
  language_code,
  ...parts
}: NewTemplateVersion & Pick<Text, 'name' | 'language_code'>) => {
  const { preheader, after_cta_content, ...others } = parts;
  const content = { ...others, preheader: preheader || null, after_cta_content: after_cta_content || null };
  return { name, language_code, ...contentOf(content) };
};

export const hashOf = (text: Text) =>
  content.hashOf('template', text.language_code, ...PART_NAMES.map(field => text[field]));

export const keysOf = (organizationId: number, id: string) => content.keysOf(organizationId, 'template', id);

export async function found({ table }: Reads, active: Active, items: Item[]): Promise<TemplateWithRights> {
  const template = content.fromItems<Head, Text>(items);
  if (!template) throw new Refusal('not-found', EMAIL_TEMPLATE.notFound);
  return { ...template, ...(await rightsOf({ table }, active, template.head)) };
}

async function rightsOf({ table }: Reads, active: Active, head: Head): Promise<Rights> {
  const owned = await ownedBy({ table }, active, [head]);
  return { is_owner: owned(head), can_edit: mayEdit(active, head.owner_id) };
}

/** The creator, or the user to whom it was handed over; if they may not edit any more, the owner of the organization. */
async function ownedBy({ table }: Reads, active: Active, heads: Head[]) {
  const { role, user_id } = active.membership;
  const others = [...new Set(heads.map(({ owner_id }) => owner_id))].filter(id => id !== user_id);
  const asked = role === 'OWNER' ? others : [];
  const editors = await member.among({ table }, active.organization.id, asked, EDIT);
  return ({ owner_id }: Head) =>
    owner_id === user_id ? may(role, EDIT) : role === 'OWNER' && !editors.has(owner_id);
}

const mayEdit = ({ membership: { role, user_id } }: Active, owner: string) =>
  role === 'OWNER' || role === 'ADMIN' || (owner === user_id && may(role, EDIT));

export type State = Pick<Head, 'id' | 'name' | 'is_active'> & {
  can_edit: boolean;
  /** Undefined if there is one version. */
  version: number | undefined;
};

export async function states({ table }: Reads, active: Active, ids: string[]): Promise<State[]> {
  const heads = await content.readTheseHeads<Head>(table, active.organization.id, 'template', ids);
  return heads.map(head => ({
    id: head.id,
    name: head.name,
    is_active: head.is_active,
    can_edit: mayEdit(active, head.owner_id),
    version: content.hasVersions(head) ? content.numberOf(head) : undefined,
  }));
}

const requireEdit = ({ can_edit }: Pick<Rights, 'can_edit'>) => {
  if (!can_edit) throw new Refusal('forbidden', 'Only the owner of a template and admins may change it.');
};
/** Throws 403 unless the caller may delete it. */
export async function requireDeletable(needs: Reads, active: Active, head: Head): Promise<void> {
  if (!(await ownedBy(needs, active, [head]))(head)) throw notOwner();
}
const notOwner = () => new Refusal('forbidden', 'Only the owner of a template may do this.');
const requireOwner = ({ is_owner }: TemplateWithRights) => {
  if (!is_owner) throw notOwner();
};

export async function create(
  needs: Needs,
  active: Active,
  { automation_ids, ...fields }: NewEmailTemplate,
): Promise<CreatedEmailTemplate> {
  // Read before the template is stored: if a read fails, a repetition of the call still creates the template.
  const warnings = await warningsFor(needs, active.organization.id, partsOf(fields), automation_ids);
  const { head, text } = drafted(needs, active, fields);
  await contentChange.create(needs, EMAIL_TEMPLATE, { head, text, automationIds: automation_ids });
  const linked = { ...head, automation_ids: new Set(automation_ids) };
  const created = await shown(needs, { head: linked, text, is_owner: true, can_edit: true });
  return { ...created, ...warningsField(warnings) };
}

export function drafted(
  { now }: { now: Date },
  { organization, membership }: Active,
  fields: Omit<NewEmailTemplate, 'automation_ids'>,
): { head: Head; text: Text } {
  const created_at = now.toISOString();
  const { name, subject_line, language_code, is_active } = fields;
  const text = written(fields);
  const head: Head = {
    id: newId(),
    organization_id: organization.id,
    name,
    subject_line,
    language_code,
    owner_id: membership.user_id,
    is_active,
    hash: hashOf(text),
    created_at,
    updated_at: created_at,
  };
  return { head, text };
}

/** Those who may edit a template may give it another wording. Its owner stays the owner. */
export async function createVersion(
  needs: Needs,
  template: TemplateWithRights,
  wanted: NewTemplateVersion,
): Promise<CreatedEmailTemplate> {
  requireEdit(template);
  const parts = parsed(templateVersionAfter(template.text), wanted);
  const { organization_id, name, language_code } = template.head;
  const linked = contentChange.linkedTo(template.head);
  const warnings = await warningsFor(needs, organization_id, partsOf(parts), linked);
  const text = written({ ...parts, name, language_code });
  const head = await createVersionOf(needs, EMAIL_TEMPLATE, template.head, {
    hash: hashOf(text),
    shown: { subject_line: text.subject_line },
    text,
    field: 'template',
  });
  return { ...(await shown(needs, { ...template, head, text })), ...warningsField(warnings) };
}

const partsOf = (fields: Partial<Record<Part, string | null | undefined>>) =>
  Object.fromEntries(PART_NAMES.map(part => [part, fields[part]]));

export const check = (needs: Reads, organizationId: number, draft: Draft): Promise<ContentCheck> =>
  checkDraft(needs, organizationId, draft, { schema: NewEmailTemplate, texts: PART_NAMES });

export async function detail({ table }: Reads, template: TemplateWithRights): Promise<EmailTemplateDetail> {
  const emailTemplate = await shown({ table }, template);
  const { is_owner, can_edit } = template;
  return {
    emailTemplate,
    automations: emailTemplate.automations,
    is_owner,
    can_edit,
    versions: await versions(table, EMAIL_TEMPLATE, template.head),
  };
}

export async function change(
  needs: Needs,
  template: TemplateWithRights,
  to: EmailTemplateChange,
): Promise<EmailTemplate> {
  requireEdit(template);
  requireSameContent(template, to);
  const { name, is_active, automation_ids } = to;
  const head = await contentChange.change(needs, EMAIL_TEMPLATE, template.head, {
    ...(name !== undefined && { set: { name } }),
    is_active,
    automation_ids,
  });
  if (name !== undefined && content.hasVersions(head)) await renameVersions(needs, head);
  return shown(needs, { ...template, head });
}

/** Reports group by the name. */
async function renameVersions({ table }: Needs, head: Head): Promise<void> {
  const all = await content.versionsOf(table, 'template', head);
  const others = all.filter(({ id, name }) => id !== head.id && name !== head.name);
  await inParallel(others, MOST_RENAMED_AT_ONCE, other =>
    content.rename(table, 'template', other, head.name),
  );
}
const MOST_RENAMED_AT_ONCE = 10;

function requireSameContent({ text }: TemplateWithRights, to: EmailTemplateChange): void {
  contentChange.requireUnchanged(CONTENT_LOCKED, fieldsChanged(text, to));
}

/** The fields of the content that a change has otherwise. */
export function fieldsChanged(text: Text, to: EmailTemplateChange): (Part | 'language_code')[] {
  // Older templates may have line breaks in texts that are now one line.
  const storedText = (field: Part | 'language_code') =>
    LINES.includes(field) ? oneLine(text[field] ?? '') : text[field];
  return ([...PART_NAMES, 'language_code'] as const).filter(
    field => to[field] !== undefined && (to[field] || null) !== (storedText(field) || null),
  );
}

export function requireRelinkable(active: Active, heads: content.Head[]): void {
  for (const head of heads) requireEdit({ can_edit: mayEdit(active, (head as Head).owner_id) });
}

export async function relink(
  needs: Needs,
  active: Active,
  head: content.Head,
  links: (linked: string[]) => string[],
): Promise<void> {
  requireRelinkable(active, [head]);
  await contentChange.change(needs, EMAIL_TEMPLATE, head as Head, { automation_ids: links });
}

export async function handOver(
  needs: Needs,
  active: Active,
  template: TemplateWithRights,
  to: string,
): Promise<EmailTemplateDetail> {
  requireOwner(template);
  if (!(await member.among(needs, template.head.organization_id, [to], EDIT)).has(to)) {
    throw invalid('user_id', NO_MEMBER);
  }
  const head = await contentChange.change(needs, EMAIL_TEMPLATE, template.head, { set: { owner_id: to } });
  return detail(needs, { ...template, head, ...(await rightsOf(needs, active, head)) });
}

export async function remove(needs: Needs, template: TemplateWithRights): Promise<void> {
  requireOwner(template);
  await contentChange.remove(needs, EMAIL_TEMPLATE, template.head, { name: template.head.name });
}

/** The initial data of the form when a template is duplicated. Users who may edit a template may duplicate it. */
export async function dataOf({ table }: Reads, template: TemplateWithRights): Promise<TemplateData> {
  requireEdit(template);
  const { head, text } = template;
  const automations = await automation.named({ table }, head.organization_id, contentChange.linkedTo(head));
  return {
    name: nameOfCopy(head.name, LONGEST_NAME),
    ...contentOf(text),
    is_active: head.is_active,
    language_code: head.language_code,
    automation_ids: automations.map(({ id }) => id),
  };
}

async function search({ table }: Reads, organizationId: number, query: TemplatesQuery) {
  const heads = content.listed(await content.readHeads<Head>(table, organizationId, 'template'));
  const found = content
    .matching(heads, query, ({ name, subject_line }) => [name, subject_line])
    .filter(({ language_code }) => !query.languages?.length || query.languages.includes(language_code));
  return { heads, found: found.sort(byName) };
}

export async function page(
  { table }: Reads,
  active: Active,
  query: TemplatesQuery,
): Promise<EmailTemplateRow[]> {
  const [{ found }, options] = await Promise.all([
    search({ table }, active.organization.id, query),
    automation.options({ table }, active.organization.id),
  ]);
  const { rows } = content.pageOf(found, query);
  const [owned, linkable] = await Promise.all([
    ownedBy({ table }, active, rows),
    automation.withBroadcasts({ table }, active.organization.id, options, rows),
  ]);
  return rows.map(head => ({
    ...rowOf(head, { is_owner: owned(head), can_edit: mayEdit(active, head.owner_id) }),
    automations: linkable.filter(({ id }) => head.automation_ids?.has(id)),
    versions: head.versions,
  }));
}

export async function summary(
  { table }: Reads,
  organizationId: number,
  query: TemplatesQuery,
): Promise<EmailTemplatesSummary> {
  const { heads, found } = await search({ table }, organizationId, query);
  const languages = [...new Set(heads.map(({ language_code }) => language_code))].sort();
  return { total: heads.length, found: found.length, languages };
}

const rowOf = (
  { id, name, subject_line, language_code, is_active, created_at, ...head }: Head,
  { is_owner, can_edit }: Rights,
) => ({
  id,
  name,
  subject_line,
  language_code,
  is_active,
  is_editable: false,
  version: content.numberOf(head),
  created_at,
  is_owner,
  can_edit,
});

async function shown(
  { table }: Reads,
  { head, text, is_owner, can_edit }: TemplateWithRights,
): Promise<EmailTemplate> {
  return {
    ...rowOf(head, { is_owner, can_edit }),
    ...contentOf(text),
    automations: await automation.named({ table }, head.organization_id, contentChange.linkedTo(head)),
  };
}
