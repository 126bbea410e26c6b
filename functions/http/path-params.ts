import type * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import type { StoredBroadcast } from '#core/automation/broadcast.store.ts';
import type * as sequenceStore from '#core/automation/sequence.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import * as lists from '#core/list/list.ts';
import * as listMembers from '#core/list/list-member/list-member.ts';
import type * as memberImportStore from '#core/list/member-import/member-import.store.ts';
import * as memberImports from '#core/list/member-import/member-import.ts';
import type * as unsubscribeWebhook from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import * as invitations from '#core/organization/invitation.ts';
import * as members from '#core/organization/member.ts';
import type { Active } from '#core/organization/organization.ts';
import * as activity from '#core/person/activity.ts';
import * as reports from '#core/reporting/combination-report.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import * as log from '#core/sending/log/email.ts';
import type { Item, Key } from '#core/storage/table.store.ts';
import type { Member } from '#shared/member.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import { table } from '../platform/table.ts';

/** Loads the item of a path parameter, always in the organization of the call. Its parent may be another parameter. */
export type PathParamLoader<T> = {
  /** The keys to read in one batch with the caller's membership of the organization; none if the text cannot be an id. */
  keys: (organization: number, id: string, params: Record<string, string>) => Key[];
  /** Finds it among the items. Throws 404 if it does not exist, and 403 if the caller may not access it. */
  find: (active: Active, id: string, items: Item[], params: Record<string, string>) => T | Promise<T>;
};

export const list: PathParamLoader<lists.CountedList> = {
  keys: lists.keysOf,
  find: (_, __, items) => lists.found(items),
};

export const listMember: PathParamLoader<listMembers.MemberWithList> = {
  keys: listMembers.keysOf,
  find: (_, id, items) => listMembers.found({ table }, id, items),
};

export const memberImport: PathParamLoader<memberImportStore.StoredImport> = {
  keys: memberImports.keysOf,
  find: (_, id, items) => memberImports.found(id, items),
};

/** Of the list in the path; without one, of the organization. */
export const webhook: PathParamLoader<unsubscribeWebhook.StoredWebhook> = {
  keys: (organization, id, { list = ALL_LISTS }) => webhooks.keysOf(organization, list, id),
  find: (_, id, items, { list = ALL_LISTS }) => webhooks.found(items, list, id),
};

export const listMemberAction: PathParamLoader<log.FoundEmail> = {
  keys: activity.keysOf,
  find: (_, id, items) => activity.foundEmail({ table }, id, items),
};

export const member: PathParamLoader<Member> = { keys: members.keysOf, find: members.found };

export const invitation: PathParamLoader<ReturnType<typeof invitations.found>> = {
  keys: invitations.keysOf,
  find: (_, id, items) => invitations.found(id, items),
};

export const automation: PathParamLoader<automationStore.StoredAutomation> = {
  keys: automations.keysOf,
  find: (_, __, items) => automations.found(items),
};

export const sequence: PathParamLoader<sequenceStore.StoredSequence> = {
  keys: sequences.keysOf,
  find: (_, __, items) => sequences.found(items),
};

export const broadcast: PathParamLoader<StoredBroadcast> = {
  keys: broadcasts.keysOf,
  find: (_, __, items) => broadcasts.found(items),
};

export const emailAsset: PathParamLoader<emailAssets.AssetWithText> = {
  keys: emailAssets.keysOf,
  find: (_, __, items) => emailAssets.found(items),
};

export const emailTemplate: PathParamLoader<emailTemplates.TemplateWithRights> = {
  keys: emailTemplates.keysOf,
  find: (active, _, items) => emailTemplates.found({ table }, active, items),
};

export const emailSend: PathParamLoader<log.FoundEmail> = {
  keys: log.keysOf,
  find: ({ organization }, id, items) => log.found(organization.id, id, items),
};

export const combination: PathParamLoader<reports.FoundCombination> = {
  keys: reports.keysOf,
  find: (active, _, items) => reports.found(active, items),
};
