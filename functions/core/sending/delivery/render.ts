import type { Content } from '../../../../shared/email/content.ts';
import { batch, compose } from '../../../../shared/email/email.ts';
import type { Reader } from '../../../../shared/email/encode.ts';
import { isRightToLeft } from '../../../../shared/email/language.ts';
import { ownValues, valuesFor } from '../../../../shared/email/own-values.ts';
import { webAddress } from '../../../../shared/email/web-address.ts';
import { languageOf } from '../../../../shared/unsubscribe-words.ts';
import type { StoredAutomation } from '../../automation/automation/automation.ts';
import type { Combination } from '../../content/combination/combination.ts';
import * as lists from '../../list/list/list.ts';
import { sendId } from '../../recipient/recipient/recipient.ts';
import { trackedUrl } from '../../recipient/tracking/tracking.ts';
import type { Claimed } from '../claim/claim.ts';
import type { Message } from './post.ts';

type Sender = {
  organization: number;
  list: lists.StoredList;
  automation: StoredAutomation;
  combination: Combination;
  publicUrl: string;
  /** Signs the links. */
  key: string;
  written: Date;
};

/** One message to many: written once, with variables where readers differ. */
export function messageFor(sender: Sender, claimed: Claimed[]): Message {
  const { organization, list, combination } = sender;
  const language = combination.language ?? languageOf(list.unsubscribe_text);
  const email = compose(combination.content as Content, {
    language,
    unsubscribeWord: list.unsubscribe_text,
  });
  const readers = claimed.map(one => readerOf(sender, one, language));
  const { subject, html, text, variables } = batch(email, readers);
  return {
    from: lists.fromHeader(list),
    subject,
    html,
    text,
    headers: {
      'Message-Id': `<%recipient.send%@${list.domain}>`,
      'List-Unsubscribe': '<%recipient.unsubscribe%>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    recipients: claimed.map((one, at) => ({
      email: one.membership.email,
      variables: {
        ...variables[at],
        send: sendId({ organization, hash: one.hash }, one.claim.seq),
        unsubscribe: readers[at]?.unsubscribe ?? '',
      },
    })),
  };
}

function readerOf(
  { organization, list, automation, combination, publicUrl, key, written }: Sender,
  { hash, claim, membership, days }: Claimed,
  language: string,
): Reader {
  const sent = { organization, hash, seq: claim.seq, written };
  const own = ownValues({
    automation,
    combination: combination.id,
    template: combination.template_id,
    days,
  });
  return {
    values: valuesFor(membership.metadata, own),
    language,
    unsubscribe: trackedUrl(publicUrl, key, 'unsubscribe', {
      ...sent,
      language: pageLanguage(list, language),
      list: list.name,
    }),
    // A click of any other address, such as mailto:, is not noticed: a redirect cannot lead there.
    tracked: (url, part) =>
      webAddress(url) ? trackedUrl(publicUrl, key, 'click', { ...sent, url, part }) : url,
    pixel: trackedUrl(publicUrl, key, 'open', sent),
  };
}

/** That of the list. None is written from right to left, so those who read an email in such a language get a page in it. */
const pageLanguage = ({ unsubscribe_text }: lists.StoredList, language: string) =>
  isRightToLeft(language) ? language : languageOf(unsubscribe_text);
