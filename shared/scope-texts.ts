import type { TokenScope } from './token.ts';

/** What a scope is called, and what it is for. Apart from the schemas, which the table of tokens does not need. */
export const SCOPE_TEXTS: Record<TokenScope, { name: string; about: string }> = {
  read: { name: 'Read', about: 'See everything, change nothing.' },
  contacts: {
    name: 'Contacts',
    about: 'Lists, members, imports, events, values, webhooks, and erasing people.',
  },
  content: { name: 'Content', about: 'Templates, assets, images and design.' },
  automations: { name: 'Automations', about: 'Automations and sequences.' },
  sending: { name: 'Sending', about: 'Broadcasts, limits, hours, and turning sending on or off.' },
  legacy: { name: 'Basic', about: 'List lists, and send members, events and values.' },
};
