import { use, useDeferredValue, useMemo } from 'react';
import type { Content } from '#shared/email/content.ts';
import type { Look } from '#shared/look.ts';
import { sampleReader, useDesign } from './email-preview.tsx';
import { EmailViews } from './email-views.tsx';

const renderer = import('#shared/email/email.ts');

const SAMPLE: Content = {
  subject_line: 'Your order is on its way',
  preheader: 'It arrives on Thursday.',
  pre_cta_content:
    'Hello Ada,\n\nyour order left our warehouse this morning. [See what is in it](https://example.com/), or follow it on its way to you.',
  cta_text: 'Track the parcel',
  cta_url: 'https://example.com/',
  after_cta_content: 'Questions? Just reply to this email.',
  footer: 'You get this email because you ordered from us. {{UNSUB_LINK}}',
};

/** An example of an email with a design, or without one, rendered like those that are sent. */
export default function LookPreview(props: {
  look: Look | null | undefined;
  logo: string | null;
  name: string;
}) {
  const { compose, fill } = use(renderer);
  const shown = useDeferredValue(useDesign(props.look, props.logo, props.name));
  const { html, text } = useMemo(() => {
    const email = compose(SAMPLE, { language: 'en', unsubscribeWord: 'Unsubscribe', design: shown });
    return fill(email, sampleReader({}, 'en'));
  }, [compose, fill, shown]);
  return <EmailViews html={html} text={text} />;
}
