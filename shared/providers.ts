/** What takes the emails of lists, and what a list needs for it: a key of its own, or a verified domain. */
const NEEDED = { mailgun: 'key', ses: 'domain' } as const;
const TITLES = { mailgun: 'Mailgun', ses: 'Amazon SES' } as const;

/** What the SPF record of a domain includes for it. Without one, its return path is a domain of its own. */
const SPF_INCLUDES: { mailgun: string; ses?: string } = { mailgun: 'mailgun.org' };

export type ProviderName = keyof typeof NEEDED;
export const PROVIDERS = Object.keys(NEEDED) as [ProviderName, ...ProviderName[]];
/** That of a list that names none. */
export const DEFAULT_PROVIDER: ProviderName = 'mailgun';
/** The one that sends with a key of each list. */
export const KEY_PROVIDER: ProviderName = 'mailgun';
/** The one at which the domains of lists are verified. */
export const DOMAIN_PROVIDER: ProviderName = 'ses';

type Chosen = { provider?: ProviderName | undefined; second_provider?: ProviderName | null | undefined };

/** The first one of a list. */
export const providerOf = ({ provider = DEFAULT_PROVIDER }: Chosen): ProviderName => provider;

/** The first one, and the one that takes what the first one certainly did not send. */
export const providersOf = (list: Chosen): ProviderName[] =>
  list.second_provider ? [providerOf(list), list.second_provider] : [providerOf(list)];

export const needsKey = (provider: ProviderName) => NEEDED[provider] === 'key';
export const titleOf = (provider: ProviderName) => TITLES[provider];
export const spfIncludeOf = (provider: ProviderName) => SPF_INCLUDES[provider];
