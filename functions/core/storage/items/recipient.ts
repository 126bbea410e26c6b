import type { ItemKind } from './kind.ts';

const PERSON = { PK: 'R#<organization>#<hash of the address>' } as const;

/** The items of recipients. Everything that is known of a person is in one partition. */
export const recipient = {
  recipient: {
    item: 'recipient: address, suppression; exists from the first journal entry on',
    ...PERSON,
    SK: 'HEAD',
    store: 'functions/core/recipient/recipient.store.ts',
    purged: ['organization'],
    index: ['ORG#<organization>'],
  },
  membership: {
    item: 'membership of a list: address, status, metadata; `left` after it has ended',
    ...PERSON,
    SK: 'IN#<list>',
    store: 'functions/core/recipient/membership.ts',
    purged: ['organization', 'list'],
    stream: { projector: {}, dispatcher: { events: ['INSERT', 'MODIFY'] } },
    index: ['LIST#<list>', 'LEFT#<list>'],
  },
  journalEntry: {
    item: 'journal entry, newest first: what happened, or the claim of an email: its occurrence, batch and combination, and the values of its placeholders where they fit; whether it was released; its `outcome`, `sent` or `failed`, where only an event of the provider told; what happened to it since, and what its conversions brought in; which claim sends it again; whether it was due before a switch that included it',
    ...PERSON,
    SK: 'J#<9999999999 - number>',
    store: 'functions/core/recipient/journal.ts',
    purged: ['organization'],
    // Only changes of a claim are counted: when it is inserted, nothing has happened to its email yet.
    stream: { projector: { events: ['MODIFY'], image: { type: ['send'] } } },
  },
  click: {
    item: 'first click of a link in an email, by people or, with `#m`, by machines: when, its destination and part',
    ...PERSON,
    SK: 'T#<number of the claim, 10 digits>#<hash of destination and part>',
    store: 'functions/core/recipient/journal.ts',
    purged: ['organization', 'person'],
  },
  storedOnce: {
    item: 'key of an event of a person, as a hash, so that it is stored once: the instant of the event, and whether it is stored in part; for a day',
    ...PERSON,
    SK: 'KEY#<sha256 of the key>',
    store: 'functions/core/recipient/recipient.ts',
    purged: ['person', 'ttl'],
  },
  triggerRow: {
    item: 'trigger row, nothing but its keys; that of a member with a time zone is in the index too',
    PK: 'TRG#<list>#<column, or nothing>',
    SK: '<minute of day, 4 digits>#<yyyy-mm-dd>#<hash of the address, and the time zone if any>',
    store: 'functions/core/recipient/trigger.ts',
    purged: ['organization', 'list', 'person'],
    index: ['TRG#<list>#<column, or nothing>#<time zone>'],
  },
  stopped: {
    item: 'somebody whom a list may not mail any more, or none, for a day',
    PK: 'ORG#<organization>#STOPPED',
    SK: '<instant>#<hash of the address>#<list>',
    store: 'functions/core/recipient/suppression.ts',
    purged: ['organization', 'ttl'],
  },
} as const satisfies Record<string, ItemKind>;
