/** What takes the emails of lists, and what a list needs for it: a key of its own, or a verified domain. */
const NEEDED = { mailgun: 'key', ses: 'domain' } as const;
const TITLES = { mailgun: 'Mailgun', ses: 'Amazon SES' } as const;

export type ProviderName = keyof typeof NEEDED;
export const PROVIDERS = Object.keys(NEEDED) as [ProviderName, ...ProviderName[]];
/** That of a list that names none. */
export const DEFAULT_PROVIDER: ProviderName = 'mailgun';
/** The one at which the domains of lists are verified. */
export const DOMAIN_PROVIDER: ProviderName = 'ses';

export const needsKey = (provider: ProviderName) => NEEDED[provider] === 'key';
export const titleOf = (provider: ProviderName) => TITLES[provider];
