import type { ItemKind } from './kind.ts';

/** The items of users, their sign-ins and sessions, and their programs. */
export const account = {
  user: {
    item: 'user, with the number of their default organization, and how many they own',
    ...{ PK: 'USER#<user>', SK: 'PROFILE', store: 'functions/core/account/user.ts', purged: [] },
  },
  userAddress: {
    item: 'address of a user',
    ...{ PK: 'EMAIL#<address>', SK: 'USER', store: 'functions/core/account/user.ts', purged: [] },
  },
  loginCode: {
    item: 'login code of a mailbox: hash, tries (counted also while there is no code), times of the last mails',
    PK: 'EMAIL#<mailbox of the address>',
    ...{ SK: 'CODE', store: 'functions/core/account/login.store.ts', purged: ['ttl'] },
  },
  session: {
    item: 'session, by its secret',
    PK: 'SESSION#<sha256 of the secret>',
    ...{ SK: '-', store: 'functions/core/account/session.store.ts', purged: ['ttl'] },
  },
  sessionOfUser: {
    item: 'copy of a session, to list and end the sessions of a user',
    ...{ PK: 'USER#<user>', SK: 'SESSION#<sha256 of the secret>' },
    ...{ store: 'functions/core/account/session.store.ts', purged: ['ttl'] },
  },
  token: {
    item: 'API token, by its secret: owner, last use',
    PK: 'TOKEN#<sha256 of the token>',
    ...{ SK: '-', store: 'functions/core/account/token.store.ts', purged: ['ttl'] },
  },
  tokenOfUser: {
    item: 'pointer to an API token, by owner and name',
    ...{
      PK: 'USER#<user>',
      SK: 'TOKEN#<name>',
      store: 'functions/core/account/token.store.ts',
      purged: ['ttl'],
    },
  },
  tokenNames: {
    item: 'set of the names of a user’s API tokens, at most 100',
    ...{ PK: 'USER#<user>', SK: 'TOKENS', store: 'functions/core/account/token.store.ts', purged: [] },
  },
  rate: {
    item: 'API calls of an organization in ten seconds',
    ...{
      PK: 'RATE#<organization>',
      SK: '<instant>',
      store: 'functions/core/account/rate.ts',
      purged: ['ttl'],
    },
  },
  answer: {
    item: 'call of a program with an Idempotency-Key: that it is under way, then its answer, encrypted; for a day',
    ...{ PK: 'ORG#<organization>#ANSWERS', SK: '<sha256 of the key>' },
    ...{ store: 'functions/http/idempotency.ts', purged: ['organization', 'ttl'] },
  },
  costlyRate: {
    item: 'calls of a costly route in an organization in a minute',
    ...{ PK: 'RATE#<organization>#<route>', SK: '<instant>' },
    ...{ store: 'functions/core/account/rate.ts', purged: ['ttl'] },
  },
  joined: {
    item: 'how many organizations a user has joined by invitation, at most 100',
    ...{ PK: 'USER#<user>', SK: 'JOINED' },
    ...{ store: 'functions/core/organization/organization.store.ts', purged: [] },
  },
  membershipOfUser: {
    item: 'copy of a member of an organization, by user: role, whether the organization is the default',
    ...{ PK: 'USER#<user>', SK: 'ORG#<organization in 15 digits>' },
    ...{ store: 'functions/core/organization/organization.store.ts', purged: ['organization'] },
  },
  userMails: {
    item: 'instants of the last invitation mails that a user caused, `mail_1` (newest) to `mail_50`',
    ...{
      PK: 'USER#<user>',
      SK: 'MAILS',
      store: 'functions/core/organization/invitation-limits.ts',
      purged: ['ttl'],
    },
  },
  mailboxMails: {
    item: 'the same of a mailbox, to `mail_10`',
    PK: 'EMAIL#<mailbox of the address>',
    ...{ SK: 'MAILS', store: 'functions/core/organization/invitation-limits.ts', purged: ['ttl'] },
  },
  whitelist: {
    item: 'domains that may register, written by a command',
    ...{ PK: 'CONFIG', SK: 'WHITELIST', store: 'functions/core/account/whitelist.ts', purged: [] },
  },
} as const satisfies Record<string, ItemKind>;
