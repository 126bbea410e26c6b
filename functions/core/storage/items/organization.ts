import type { ItemKind } from './kind.ts';

const CONTENT = { PK: 'ORG#<organization>#CONTENT', purged: ['organization'] } as const;

/** The items of an organization and of what its users create in it. */
export const organization = {
  organization: {
    item: 'organization, with how many lists, members and automations it has, at most 1,000 each, and how many automations are active, at most 100; path of its logo; when its first steps were dismissed, and its first automation was simulated; its time zone and quiet hours, with those before while the sweep looks back',
    ...{ PK: 'ORG#<organization>', SK: 'META' },
    ...{ store: 'functions/core/organization/organization.store.ts', purged: ['organization'] },
  },
  member: {
    item: 'member of an organization: role',
    ...{ PK: 'ORG#<organization>', SK: 'MEMBER#<user>' },
    ...{ store: 'functions/core/organization/organization.store.ts', purged: ['organization'] },
  },
  invitation: {
    item: 'invitation: role, status, hash of its secret; one per address',
    ...{ PK: 'ORG#<organization>', SK: 'INVITE#<hash of organization and address>' },
    ...{
      store: 'functions/core/organization/invitation/invitation.store.ts',
      purged: ['organization', 'ttl'],
    },
  },
  pendingInvitations: {
    item: 'set of the ids of the pending invitations, at most 100',
    ...{ PK: 'ORG#<organization>', SK: 'INVITATIONS' },
    ...{ store: 'functions/core/organization/invitation/invitation.store.ts', purged: ['organization'] },
  },
  invitationOfAddress: {
    item: 'pointer to a pending invitation, by address',
    ...{ PK: 'EMAIL#<address>', SK: 'INVITE#<invitation>' },
    ...{
      store: 'functions/core/organization/invitation/invitation.store.ts',
      purged: ['organization', 'ttl'],
    },
  },
  invitationSecret: {
    item: 'pointer to an invitation, by the secret in its mail',
    ...{ PK: 'INVITE#<sha256 of the secret>', SK: '-' },
    ...{
      store: 'functions/core/organization/invitation/invitation.store.ts',
      purged: ['organization', 'ttl'],
    },
  },
  safeguards: {
    item: 'safeguards that were changed: whether they are enabled, and how many emails a recipient may get in each window',
    ...{ PK: 'ORG#<organization>', SK: 'SAFEGUARDS' },
    ...{ store: 'functions/core/organization/safeguards.store.ts', purged: ['organization'] },
  },
  switch: {
    item: 'what was switched on or off, by whom, and which limits of the safeguards were changed; `<what>` is `organization`, `safeguards`, `sending`, `list#<list>` or `automation#<automation>`',
    ...{ PK: 'ORG#<organization>#SWITCHES', SK: '<instant>#<what>#<revision>' },
    ...{ store: 'functions/core/organization/switches.store.ts', purged: ['organization'] },
  },
  record: {
    item: 'who was erased: by which user; an address is not in it',
    ...{ PK: 'ORG#<organization>#RECORD', SK: '<instant>#erased#<hash of the address>' },
    ...{ store: 'functions/core/organization/record.store.ts', purged: ['organization'] },
  },
  list: {
    item: 'email list: settings, path of its logo, encrypted keys, result of the last test, until when its provider wants a pause',
    ...{ PK: 'ORG#<organization>', SK: 'LIST#<list>', store: 'functions/core/list/list.store.ts' },
    purged: ['organization'],
  },
  webhook: {
    item: 'unsubscribe webhook of a list: address, encrypted headers and secrets, what it wants to be told, what deliveries have shown of its endpoint, and until when one of them has it',
    ...{ PK: 'ORG#<organization>', SK: 'HOOK#<list>#<webhook>' },
    ...{ store: 'functions/core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts', purged: ['list'] },
  },
  webhookIds: {
    item: 'set of the ids of a list’s webhooks, at most 10',
    ...{ PK: 'ORG#<organization>', SK: 'HOOKS#<list>' },
    ...{ store: 'functions/core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts', purged: ['list'] },
  },
  webhookDelivery: {
    item: 'delivery of an event to a webhook: the member, without their address, attempts, result of the last one, when the next one is due or who makes one; for seven days',
    ...{ PK: 'ORG#<organization>#HOOKS#<list>', SK: '<webhook>#<milliseconds>-<24 digits of a hash>' },
    ...{ store: 'functions/core/list/unsubscribe-webhook/delivery.store.ts', purged: ['list', 'ttl'] },
  },
  listCounts: {
    item: 'counts of a list’s members, and of its datetime columns, at most 100',
    ...{ PK: 'LIST#<list>', SK: 'COUNTS', store: 'functions/core/list/counts.store.ts', purged: ['list'] },
    ...{ counted: true, rebuilt: true },
  },
  listColumn: {
    item: 'datetime column of a list: how many members have it, whether it counts, since when it is known to have no members',
    ...{
      PK: 'LIST#<list>',
      SK: 'COLUMN#<column>',
      store: 'functions/core/list/counts.store.ts',
      purged: ['list'],
    },
    ...{ counted: true, rebuilt: true },
  },
  memberImport: {
    item: 'import of members from a file: its name and fingerprint, what its columns became, the source of consent; its state, how many rows are done, what became of them, how far it is undone',
    ...{ PK: 'ORG#<organization>#IMPORTS', SK: '<list>#<import>' },
    ...{ store: 'functions/core/list/member-import/member-import.store.ts', purged: ['list'] },
  },
  importedRows: {
    item: 'rows of one call of an import: the hashes of the addresses that it may have added, then a byte for each row, and why rows were rejected',
    ...{ PK: 'IMPORT#<organization>#<import>', SK: '<number of the first row, 7 digits>' },
    ...{ store: 'functions/core/list/member-import/member-import.store.ts', purged: ['list'] },
  },
  automation: {
    item: 'automation: name, at most 50 lists, column it starts at, schedule, whether and since when it is active',
    ...{ PK: 'ORG#<organization>', SK: 'AUTO#<automation>' },
    ...{ store: 'functions/core/automation/automation.store.ts', purged: ['organization'] },
  },
  linkedContent: {
    item: 'ids of the active content linked to an automation, a set for each type; exists as long as the automation',
    ...{ ...CONTENT, SK: 'LINKED#<automation>', store: 'functions/core/automation/automation.store.ts' },
  },
  asset: {
    item: 'email asset: type, name, beginning of its content, status, set of its automations',
    ...{ ...CONTENT, SK: 'ASSET#<asset>', store: 'functions/core/content/content.store.ts' },
  },
  template: {
    item: 'email template: name, subject, language, owner, status, set of its automations',
    ...{ ...CONTENT, SK: 'TEMPLATE#<template>', store: 'functions/core/content/content.store.ts' },
  },
  text: {
    item: 'whole content of an asset or a template; stays when that is deleted, for reports',
    ...{ ...CONTENT, SK: 'TEXT#<asset or template>', store: 'functions/core/content/content.store.ts' },
  },
  uniqueContent: {
    item: 'content that must not exist twice',
    ...{ ...CONTENT, SK: 'UNIQ#<hash of type or language and content>' },
    store: 'functions/core/content/content.store.ts',
  },
  contentCounts: {
    item: 'number of assets and of templates, at most 10,000 each',
    ...{ ...CONTENT, SK: 'COUNTS', store: 'functions/core/content/content.store.ts' },
  },
  combination: {
    item: 'what a combination consists of, written before the first claim names it',
    ...{
      ...CONTENT,
      SK: 'COMBO#<combination>',
      store: 'functions/core/content/combination.ts',
    },
  },
  organizationNumber: {
    item: 'number of the newest organization',
    ...{ PK: 'COUNTER', SK: 'ORGANIZATION' },
    ...{ store: 'functions/core/organization/organization.store.ts', purged: [] },
  },
} as const satisfies Record<string, ItemKind>;
