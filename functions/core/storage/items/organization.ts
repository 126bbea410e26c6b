import { IN_ORGANIZATION, type ItemKind, PURGE, SENDERS } from './kind.ts';

const CONTENT = { PK: 'ORG#<organization>#CONTENT', purged: ['organization'] } as const;
/** Those that link it, and warn of it. */
const CONTENT_WRITERS = ['api/automation-content', 'api/email-asset', 'api/email-template'] as const;
const CONTENT_CREATORS = ['api/email-asset', 'api/email-template'] as const;
/** Those that show what was in an email. */
const SHOWN_EMAILS = ['api/email-send', 'api/list-member', 'api/reporting'] as const;

/** An organization with all that is set up in it. */
export const organization = {
  organization: {
    item: 'organization, with how many lists, members and automations it has, at most 1,000 each, and how many automations are active, at most 100; path of its logo; its time zone and quiet hours, with those before while the sweep looks back',
    ...{ PK: 'ORG#<organization>', SK: 'META' },
    ...{ store: 'organization/organization/organization.store.ts', purged: ['organization'] },
    read: [
      ...IN_ORGANIZATION,
      ...['dispatcher/dispatcher', 'projector/projector', 'sending/sweep', PURGE, ...SENDERS],
    ],
    written: [
      ...[
        'api/automation',
        'api/invitation',
        'api/list',
        'api/login',
        'api/member',
        'api/organization',
        'api/safeguards',
      ],
      PURGE,
    ],
  },
  member: {
    item: 'member of an organization: role',
    ...{ PK: 'ORG#<organization>', SK: 'MEMBER#<user>' },
    ...{ store: 'organization/organization/organization.store.ts', purged: ['organization'] },
    read: ['api/email-template', 'api/member', PURGE],
    written: ['api/invitation', 'api/login', 'api/member', 'api/organization', PURGE],
  },
  invitation: {
    item: 'invitation: role, status, hash of its secret; one per address',
    ...{ PK: 'ORG#<organization>', SK: 'INVITE#<hash of organization and address>' },
    ...{ store: 'organization/invitation/invitation.store.ts', purged: ['organization', 'ttl'] },
    read: ['api/invitation', 'api/member', PURGE],
    written: ['api/invitation', 'api/member', PURGE],
  },
  pendingInvitations: {
    item: 'set of the ids of the pending invitations, at most 100',
    ...{ PK: 'ORG#<organization>', SK: 'INVITATIONS' },
    ...{ store: 'organization/invitation/invitation.store.ts', purged: ['organization'] },
    read: ['api/member'],
    written: ['api/invitation', 'api/member', PURGE],
  },
  invitationOfAddress: {
    item: 'pointer to a pending invitation, by address',
    ...{ PK: 'EMAIL#<address>', SK: 'INVITE#<invitation>' },
    ...{ store: 'organization/invitation/invitation.store.ts', purged: ['organization', 'ttl'] },
    read: ['api/invitation', 'api/login'],
    written: ['api/invitation', 'api/member', PURGE],
  },
  invitationSecret: {
    item: 'pointer to an invitation, by the secret in its mail',
    ...{ PK: 'INVITE#<sha256 of the secret>', SK: '-' },
    ...{ store: 'organization/invitation/invitation.store.ts', purged: ['organization', 'ttl'] },
    read: ['api/invitation'],
    written: ['api/member', PURGE],
  },
  safeguards: {
    item: 'safeguards that were changed: whether they are enabled, and how many emails a recipient may get in each window',
    ...{ PK: 'ORG#<organization>', SK: 'SAFEGUARDS' },
    ...{ store: 'organization/safeguards/safeguards.store.ts', purged: ['organization'] },
    read: [
      'api/automation',
      'api/dry-run',
      'api/email-send',
      'api/explanation',
      'api/safeguards',
      ...SENDERS,
    ],
    written: ['api/safeguards', PURGE],
  },
  switch: {
    item: 'what was switched on or off, by whom, and which limits of the safeguards were changed; `<what>` is `organization`, `safeguards`, `list#<list>` or `automation#<automation>`',
    ...{ PK: 'ORG#<organization>#SWITCHES', SK: '<instant>#<what>#<revision>' },
    ...{ store: 'organization/switches/switches.store.ts', purged: ['organization'] },
    read: ['api/explanation'],
    written: ['api/automation', 'api/list', 'api/organization', 'api/safeguards', PURGE],
  },
  list: {
    item: 'email list: settings, path of its logo, encrypted keys, result of the last test, until when its provider wants a pause',
    ...{ PK: 'ORG#<organization>', SK: 'LIST#<list>', store: 'list/list/list.store.ts' },
    purged: ['organization'],
    read: [
      ...[
        'api/automation',
        'api/dry-run',
        'api/email-send',
        'api/explanation',
        'api/list',
        'api/list-member',
        'api/member-import',
      ],
      ...['api/reporting', 'api/v1', ...CONTENT_WRITERS],
      ...['dispatcher/dispatcher', 'sending/provider-events', 'sending/sweep', PURGE, ...SENDERS],
    ],
    written: ['api/list', PURGE, ...SENDERS],
  },
  listCounts: {
    item: 'counts of a list’s members, and of its datetime columns, at most 100',
    ...{ PK: 'LIST#<list>', SK: 'COUNTS', store: 'list/list/counts.store.ts', purged: ['list'] },
    ...{ counted: true, rebuilt: true },
    read: [
      ...['api/automation', 'api/dry-run', 'api/explanation', 'api/list', 'api/list-member'],
      ...['api/member-import', 'api/v1', ...CONTENT_WRITERS],
      'projector/projector',
    ],
    written: ['api/list', 'api/list-member', 'api/member-import', 'api/v1', 'projector/projector', PURGE],
  },
  listColumn: {
    item: 'datetime column of a list: how many members have it, whether it counts, since when it is known to have no members',
    ...{ PK: 'LIST#<list>', SK: 'COLUMN#<column>', store: 'list/list/counts.store.ts', purged: ['list'] },
    ...{ counted: true, rebuilt: true },
    read: [
      'api/automation',
      'api/dry-run',
      'api/list',
      'api/list-member',
      'api/member-import',
      'api/v1',
      ...CONTENT_WRITERS,
      PURGE,
    ],
    written: ['api/list-member', 'api/member-import', 'api/v1', 'projector/projector', PURGE],
  },
  memberImport: {
    item: 'import of members from a file: its name and fingerprint, what its columns became, the source of consent; its state, how many rows are done, what became of them, how far it is undone',
    ...{ PK: 'ORG#<organization>#IMPORTS', SK: '<list>#<import>' },
    ...{ store: 'list/member-import/member-import.store.ts', purged: ['list'] },
    read: ['api/list-member', 'api/member-import', PURGE],
    written: ['api/member-import', PURGE],
  },
  importedRows: {
    item: 'rows of one call of an import: the hashes of the addresses that it may have added, then a byte for each row, and why rows were rejected',
    ...{ PK: 'IMPORT#<organization>#<import>', SK: '<number of the first row, 7 digits>' },
    ...{ store: 'list/member-import/member-import.store.ts', purged: ['list'] },
    read: ['api/member-import', PURGE],
    written: ['api/member-import', PURGE],
  },
  automation: {
    item: 'automation: name, at most 50 lists, column it starts at, schedule, whether and since when it is active',
    ...{ PK: 'ORG#<organization>', SK: 'AUTO#<automation>' },
    ...{ store: 'automation/automation/automation.store.ts', purged: ['organization'] },
    read: [
      ...['api/automation', 'api/dry-run', 'api/explanation', ...CONTENT_WRITERS, ...SHOWN_EMAILS],
      ...['dispatcher/dispatcher', 'sending/sweep', PURGE, ...SENDERS],
    ],
    written: ['api/automation', PURGE],
  },
  linkedContent: {
    item: 'ids of the active content linked to an automation, a set for each type; exists as long as the automation',
    ...{ ...CONTENT, SK: 'LINKED#<automation>', store: 'automation/automation/automation.store.ts' },
    read: [
      'api/automation',
      'api/dry-run',
      'api/email-send',
      'api/explanation',
      ...CONTENT_WRITERS,
      ...SENDERS,
    ],
    written: ['api/automation', ...CONTENT_WRITERS, PURGE],
  },
  asset: {
    item: 'email asset: type, name, beginning of its content, status, set of its automations',
    ...{ ...CONTENT, SK: 'ASSET#<asset>', store: 'content/content/content.store.ts' },
    read: ['api/automation-content', 'api/dry-run', 'api/email-asset', 'api/reporting', PURGE],
    written: ['api/automation-content', 'api/email-asset', PURGE],
  },
  template: {
    item: 'email template: name, subject, language, owner, status, set of its automations',
    ...{ ...CONTENT, SK: 'TEMPLATE#<template>', store: 'content/content/content.store.ts' },
    read: ['api/automation-content', 'api/dry-run', 'api/email-template', 'api/v1', ...SHOWN_EMAILS, PURGE],
    written: ['api/automation-content', 'api/email-template', PURGE],
  },
  text: {
    item: 'whole content of an asset or a template; stays when that is deleted, for reports',
    ...{ ...CONTENT, SK: 'TEXT#<asset or template>', store: 'content/content/content.store.ts' },
    read: ['api/automation', 'api/v1', ...CONTENT_WRITERS, ...SHOWN_EMAILS, PURGE, ...SENDERS],
    written: [...CONTENT_CREATORS, PURGE],
  },
  uniqueContent: {
    item: 'content that must not exist twice',
    ...{ ...CONTENT, SK: 'UNIQ#<hash of type or language and content>' },
    store: 'content/content/content.store.ts',
    read: [PURGE],
    written: [...CONTENT_CREATORS, PURGE],
  },
  contentCounts: {
    item: 'number of assets and of templates, at most 10,000 each',
    ...{ ...CONTENT, SK: 'COUNTS', store: 'content/content/content.store.ts' },
    read: [PURGE],
    written: [...CONTENT_CREATORS, PURGE],
  },
  combination: {
    item: 'what a combination consists of, written before the first claim names it',
    ...{ ...CONTENT, SK: 'COMBO#<combination>', store: 'content/combination/combination.store.ts' },
    read: ['api/v1', ...SHOWN_EMAILS, PURGE, ...SENDERS],
    written: [PURGE, ...SENDERS],
  },
  organizationNumber: {
    item: 'number of the newest organization',
    ...{ PK: 'COUNTER', SK: 'ORGANIZATION' },
    ...{ store: 'organization/organization/organization.store.ts', purged: [] },
    read: [],
    written: ['api/login', 'api/organization'],
  },
} as const satisfies Record<string, ItemKind>;
