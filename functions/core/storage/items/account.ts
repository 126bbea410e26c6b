import { IN_ORGANIZATION, type ItemKind, PURGE, WEBHOOKS, WITH_SESSION } from './kind.ts';

/** The items of users, their sign-ins and sessions, and their programs. */
export const account = {
  user: {
    item: 'user, with the number of their default organization, and how many they own',
    ...{ PK: 'USER#<user>', SK: 'PROFILE', store: 'account/user/user.store.ts', purged: [] },
    read: [...WITH_SESSION, 'api/v1', WEBHOOKS],
    written: ['api/login', 'api/organization', 'api/user'],
  },
  userAddress: {
    item: 'address of a user',
    ...{ PK: 'EMAIL#<address>', SK: 'USER', store: 'account/user/user.store.ts', purged: [] },
    read: ['api/login', 'api/member'],
    written: ['api/login'],
  },
  loginCode: {
    item: 'login code of a mailbox: hash, tries (counted also while there is no code), times of the last mails',
    PK: 'EMAIL#<mailbox of the address>',
    ...{ SK: 'CODE', store: 'account/login/login.store.ts', purged: ['ttl'] },
    read: ['api/login'],
    written: ['api/login'],
  },
  session: {
    item: 'session, by its secret',
    PK: 'SESSION#<sha256 of the secret>',
    ...{ SK: '-', store: 'account/session/session.store.ts', purged: ['ttl'] },
    read: WITH_SESSION,
    written: WITH_SESSION,
  },
  sessionOfUser: {
    item: 'copy of a session, to list and end the sessions of a user',
    ...{ PK: 'USER#<user>', SK: 'SESSION#<sha256 of the secret>' },
    ...{ store: 'account/session/session.store.ts', purged: ['ttl'] },
    read: ['api/login', 'api/user'],
    written: WITH_SESSION,
  },
  token: {
    item: 'API token, by its secret: owner, last use',
    PK: 'TOKEN#<sha256 of the token>',
    ...{ SK: '-', store: 'account/token/token.store.ts', purged: ['ttl'] },
    read: ['api/user', 'api/v1'],
    written: ['api/user', 'api/v1'],
  },
  tokenOfUser: {
    item: 'pointer to an API token, by owner and name',
    ...{ PK: 'USER#<user>', SK: 'TOKEN#<name>', store: 'account/token/token.store.ts', purged: ['ttl'] },
    read: ['api/user'],
    written: ['api/user'],
  },
  tokenNames: {
    item: 'set of the names of a user’s API tokens, at most 100',
    ...{ PK: 'USER#<user>', SK: 'TOKENS', store: 'account/token/token.store.ts', purged: [] },
    read: ['api/user'],
    written: ['api/user'],
  },
  rate: {
    item: 'API calls of an organization in ten seconds',
    ...{ PK: 'RATE#<organization>', SK: '<instant>', store: 'account/rate/rate.store.ts', purged: ['ttl'] },
    read: [],
    written: ['api/member-import', 'api/v1'],
  },
  answer: {
    item: 'call of a program with an Idempotency-Key: that it is under way, then its answer, encrypted; for a day',
    ...{ PK: 'ORG#<organization>#ANSWERS', SK: '<sha256 of the key>' },
    ...{ store: 'account/idempotency/idempotency.store.ts', purged: ['organization', 'ttl'] },
    read: ['api/v1', PURGE],
    written: ['api/v1', PURGE],
  },
  costlyRate: {
    item: 'calls of a costly route in an organization in a minute',
    ...{ PK: 'RATE#<organization>#<route>', SK: '<instant>' },
    ...{ store: 'account/rate/rate.store.ts', purged: ['ttl'] },
    read: [],
    written: [
      ...['api/automation', 'api/automation', 'api/content', 'api/content'],
      ...['api/organization', 'api/member-import', 'api/reporting', 'api/unsubscribe-webhook'],
    ],
  },
  joined: {
    item: 'how many organizations a user has joined by invitation, at most 100',
    ...{ PK: 'USER#<user>', SK: 'JOINED' },
    ...{ store: 'organization/organization/organization.store.ts', purged: [] },
    read: [],
    written: ['api/member', 'api/member', PURGE],
  },
  membershipOfUser: {
    item: 'copy of a member of an organization, by user: role, whether the organization is the default',
    ...{ PK: 'USER#<user>', SK: 'ORG#<organization in 15 digits>' },
    ...{ store: 'organization/organization/organization.store.ts', purged: ['organization'] },
    read: IN_ORGANIZATION,
    written: ['api/member', 'api/login', 'api/member', 'api/organization', PURGE],
  },
  userMails: {
    item: 'instants of the last invitation mails that a user caused, `mail_1` (newest) to `mail_50`',
    ...{ PK: 'USER#<user>', SK: 'MAILS', store: 'organization/invitation/mails.store.ts', purged: ['ttl'] },
    read: ['api/member'],
    written: ['api/member'],
  },
  mailboxMails: {
    item: 'the same of a mailbox, to `mail_10`',
    PK: 'EMAIL#<mailbox of the address>',
    ...{ SK: 'MAILS', store: 'organization/invitation/mails.store.ts', purged: ['ttl'] },
    read: ['api/member'],
    written: ['api/member'],
  },
  whitelist: {
    item: 'domains that may register, written by a command',
    ...{ PK: 'CONFIG', SK: 'WHITELIST', store: 'account/whitelist/whitelist.store.ts', purged: [] },
    read: ['api/login'],
    written: [],
  },
} as const satisfies Record<string, ItemKind>;
