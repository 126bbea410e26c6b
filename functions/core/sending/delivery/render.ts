import type * as listStore from '#core/list/list.store.ts';
import * as lists from '#core/list/list.ts';
import type { OutgoingEmail } from '#core/provider.ts';
import { sendId } from '#core/recipient/recipient.key.ts';
import { clickUrl, trackedUrl } from '#core/recipient/tracking.ts';
import { compose, type Email, write } from '#shared/email/email.ts';
import { encodedWords, type Reader } from '#shared/email/encode.ts';
import { isRightToLeft } from '#shared/email/language.ts';
import type { Design } from '#shared/email/layout.ts';
import { webAddress } from '#shared/email/web-address.ts';
import { publicNameOf } from '#shared/list.ts';
import { languageOf } from '#shared/unsubscribe-words.ts';
import { type Claimed, placeholderValues } from '../claim/claim.ts';

type Sender = {
  organization: number;
  list: listStore.StoredList;
  /** The address of the stage, which serves logos, and that of the links. */
  publicUrl: string;
  linkUrl: string;
  /** Signs the links. */
  key: string;
  written: Date;
  design?: Design | undefined;
};

// Bounds the memory that the values of one call take. An ordinary newsletter to 1,000 people takes a tenth of it.
const MOST_CHARACTERS = 100_000_000;

/** In their order, until the call is full; at least one. Emails with the same content share its sections. */
export function outgoingEmails(sender: Sender, claimed: Claimed[]): OutgoingEmail[] {
  const composed = new Map<string, Email>();
  const [first] = claimed;
  const shared = first ? sharedHeaders(sender.list, first.automation) : {};
  const emails: OutgoingEmail[] = [];
  let characters = 0;
  for (const claim of claimed) {
    const email = outgoingEmail(sender, claim, { composed, shared });
    characters += charactersOf(email);
    if (emails.length > 0 && characters > MOST_CHARACTERS) break;
    emails.push(email);
  }
  return emails;
}

/** What is the same for all emails of a batch is made once. */
type Made = { composed: Map<string, Email>; shared: Record<string, string> };

function outgoingEmail(sender: Sender, claimed: Claimed, { composed, shared }: Made): OutgoingEmail {
  const { organization, list, design } = sender;
  const { content, claim, membership } = claimed;
  const language = content.language ?? languageOf(list.unsubscribe_text);
  const email =
    composed.get(content.id) ??
    compose(content.content, { language, unsubscribeWord: list.unsubscribe_text, design });
  composed.set(content.id, email);
  const reader = readerOf(sender, claimed, language);
  const id = sendId({ organization, hash: claimed.hash }, claim.seq);
  return {
    ...write(email, reader),
    to: membership.email,
    from: lists.fromHeader(list),
    id,
    headers: {
      'Message-Id': `<${id}@${list.domain}>`,
      ...shared,
      'List-Unsubscribe': `<${reader.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** Gmail counts complaints by each part of the Feedback-ID, but for the last one, which names the sender. */
const sharedHeaders = (
  list: listStore.StoredList,
  { id, reply_to }: Claimed['automation'],
): Record<string, string> => ({
  ...(reply_to || list.reply_to ? { 'Reply-To': reply_to || list.reply_to || '' } : {}),
  'List-Id': `${encodedWords(publicNameOf(list))} <${list.id}.${list.domain}>`,
  'Feedback-ID': `${id}:${list.id}:${list.organization_id}:letterflow`,
});

const charactersOf = ({ subject, html, text }: OutgoingEmail): number =>
  [subject, ...html, ...text]
    .flatMap(({ values }) => values)
    .reduce((sum, { value }) => sum + value.length, 0);

function readerOf(
  { organization, list, publicUrl, linkUrl, key, written }: Sender,
  email: Claimed,
  language: string,
): Reader {
  const { hash, claim, content } = email;
  const sent = { organization, hash, seq: claim.seq, written };
  return {
    // The values that are stored in the claim, so that the log shows the email as it was sent.
    values: claim.values ? new Map(Object.entries(claim.values)) : placeholderValues(email, content),
    language,
    files: publicUrl,
    unsubscribe: trackedUrl(linkUrl, key, 'unsubscribe', {
      ...sent,
      language: pageLanguage(list, language),
      list: publicNameOf(list),
      sender: { name: list.sender_name, address: list.sender_address },
      logo: list.logo && linkUrl !== publicUrl ? `${publicUrl}${list.logo}` : (list.logo ?? ''),
    }),
    // Other addresses, such as mailto:, are not tracked: a redirect cannot lead there.
    tracked: onceEach((url, part) =>
      webAddress(url) ? clickUrl(linkUrl, key, { ...sent, url, part }) : url,
    ),
    pixel: trackedUrl(linkUrl, key, 'open', sent),
  };
}

/** A link is in the HTML and in the plain text: it is signed once for both. */
function onceEach(tracked: Reader['tracked']): Reader['tracked'] {
  const known = new Map<string, string>();
  return (url, part) => {
    const name = `${part} ${url}`;
    const address = known.get(name) ?? tracked(url, part);
    known.set(name, address);
    return address;
  };
}

/** The list's language, or the email's if that is right-to-left, since no list's is. */
const pageLanguage = ({ unsubscribe_text }: listStore.StoredList, language: string) =>
  isRightToLeft(language) ? language : languageOf(unsubscribe_text);
