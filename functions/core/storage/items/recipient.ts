import { type ItemKind, MEMBERSHIP_WRITERS, PURGE, SENDERS, WEBHOOKS } from './kind.ts';

const PERSON = { PK: 'R#<organization>#<hash of the address>' } as const;
const READERS = [
  ...[
    'api/automation',
    'api/automation',
    'api/email-send',
    'api/list-member',
    'api/list-member',
    'api/reporting',
  ],
  ...[...MEMBERSHIP_WRITERS, PURGE, ...SENDERS],
] as const;

/** The functions that warn of members without the metadata that content uses. */
const WARNERS = ['api/content', 'api/content', 'api/content'] as const;

/** The items of recipients. Everything that is known of a person is in one partition. */
export const recipient = {
  recipient: {
    item: 'recipient: address, suppression; exists from the first journal entry on',
    ...{ ...PERSON, SK: 'HEAD', store: 'recipient/recipient/recipient.store.ts', purged: ['organization'] },
    index: { 'ORG#<organization>': [PURGE] },
    read: [...READERS, WEBHOOKS],
    written: [...MEMBERSHIP_WRITERS, PURGE, ...SENDERS],
  },
  membership: {
    item: 'membership of a list: address, status, metadata; `left` after it has ended',
    ...{ ...PERSON, SK: 'IN#<list>', store: 'recipient/recipient/membership.store.ts' },
    purged: ['organization', 'list'],
    stream: { projector: {}, dispatcher: { events: ['INSERT', 'MODIFY'] } },
    index: {
      'LIST#<list>': [...WARNERS, 'api/automation', 'api/list-member', 'api/list-member', PURGE],
      'LEFT#<list>': [PURGE],
    },
    read: [...READERS, ...WARNERS],
    written: [...MEMBERSHIP_WRITERS, PURGE, ...SENDERS],
  },
  journalEntry: {
    item: 'journal entry, newest first: what happened, or the claim of an email: its occurrence, batch and combination, and the values of its placeholders where they fit; whether it was released; its `outcome`, `sent` or `failed`, where only an event of the provider told; what happened to it since; which claim sends it again',
    ...{ ...PERSON, SK: 'J#<9999999999 - number>', store: 'recipient/recipient/journal.store.ts' },
    purged: ['organization'],
    // Only changes of a claim are counted: when it is inserted, nothing has happened to its email yet.
    stream: { projector: { events: ['MODIFY'], image: { type: ['send'] } } },
    read: [...READERS, 'dispatcher/dispatcher'],
    written: [
      ...[
        ...MEMBERSHIP_WRITERS,
        'api/email-send',
        'dispatcher/dispatcher',
        'tracking/click',
        'tracking/open',
      ],
      ...[PURGE, ...SENDERS],
    ],
  },
  click: {
    item: 'first click of a link in an email, by people or, with `#m`, by machines: when, its destination and part',
    ...{ ...PERSON, SK: 'T#<number of the claim, 10 digits>#<hash of destination and part>' },
    ...{ store: 'recipient/recipient/click.store.ts', purged: ['organization', 'person'] },
    read: ['api/list-member', 'api/list-member', 'api/list-member', PURGE],
    written: ['api/list-member', 'tracking/click', PURGE],
  },
  triggerRow: {
    item: 'trigger row, nothing but its keys; that of a member with a time zone is in the index too',
    PK: 'TRG#<list>#<column, or nothing>',
    SK: '<minute of day, 4 digits>#<yyyy-mm-dd>#<hash of the address, and the time zone if any>',
    ...{ store: 'recipient/recipient/trigger.store.ts', purged: ['organization', 'list', 'person'] },
    index: { 'TRG#<list>#<column, or nothing>#<time zone>': ['sending/sweep'] },
    read: [
      'api/automation',
      'api/automation',
      'api/list-member',
      'api/member-import',
      'api/v1',
      'sending/sweep',
      PURGE,
      ...SENDERS,
    ],
    written: [...MEMBERSHIP_WRITERS, PURGE, ...SENDERS],
  },
  stopped: {
    item: 'somebody whom a list may not mail any more, or none, for a day',
    ...{ PK: 'ORG#<organization>#STOPPED', SK: '<instant>#<hash of the address>#<list>' },
    ...{ store: 'recipient/recipient/stopped.store.ts', purged: ['organization', 'ttl'] },
    read: ['api/list-member', 'api/member-import', 'api/v1', PURGE, ...SENDERS],
    written: [...MEMBERSHIP_WRITERS, PURGE],
  },
} as const satisfies Record<string, ItemKind>;
