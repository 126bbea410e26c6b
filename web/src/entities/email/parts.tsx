import { chakra } from '@chakra-ui/react';
import { type Content, PART_NAMES, PARTS, type Part } from '#shared/email/content.ts';
import { webAddress } from '#shared/email/web-address.ts';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Panel } from '#web/components/panel.tsx';

/** The parts of an email that are written so far. */
export type Draft = { [Name in Part]?: string | null | undefined };

export const partsOf = (texts: Draft): Draft =>
  Object.fromEntries(PART_NAMES.map(part => [part, texts[part]]));

const SAMPLE: Content = {
  subject_line: 'The subject line',
  preheader: 'The preheader',
  pre_cta_content: 'The content before the button.',
  cta_text: 'The button',
  cta_url: 'https://example.com/',
  after_cta_content: 'The content after the button.',
  footer: 'The footer: {{UNSUB_LINK}}',
};

const MEMBER: Record<string, string> = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  city: 'London',
};

/** The sample value of a metadata column; if its name is not known, the name itself. */
export const sampleOf = (name: string) => MEMBER[name] ?? name.replace(/[_.-]+/g, ' ').trim();

/** An email with this asset. The other parts have a text that says what belongs there. */
export const sampleEmailWith = (type: Part, value: string): Content => ({ ...SAMPLE, [type]: value });

/** Explanations of parts whose names are not obvious: CTA, the call to action, is the button. */
export const PART_TEXTS: Partial<Record<Part, string>> = {
  preheader: 'What an inbox shows after the subject line.',
  pre_cta_content: 'The text above the button. CTA is short for call to action, which is the button.',
  cta_text: 'The words on the button. CTA is short for call to action.',
  cta_url: 'The address that the button leads to. CTA is short for call to action.',
  after_cta_content: 'The text below the button. CTA is short for call to action, which is the button.',
};

export const TYPE_TEXT =
  'Which part of an email it is. CTA is short for call to action, which is the button: Pre-CTA Content is the text above it, After-CTA Content the text below. The Preheader is what an inbox shows after the subject line.';

const Names = chakra('dl', { base: { px: '4', py: '1', '& > div + div': { borderTopWidth: '1px' } } });
const PartName = chakra('dt', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: '18px' } });
const Text = chakra('dd', {
  base: { mt: '0.5', lineHeight: '20px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
});
const Address = chakra('a', {
  base: { textDecoration: 'underline', textDecorationColor: 'border.emphasized' },
});
const Row = chakra('div', { base: { py: '2.5' } });

export const WrittenParts = ({ texts, language }: { texts: Draft; language?: string }) => (
  <Panel>
    <Names>
      {Object.entries(PARTS).map(([part, name]) => {
        const text = texts[part as Part];
        return (
          text && (
            <Row key={part}>
              <PartName>
                <WithHelpTip word={name}>{PART_TEXTS[part as Part]}</WithHelpTip>
              </PartName>
              <Text dir="auto" lang={language}>
                {part === 'cta_url' ? <Destination address={text} /> : text}
              </Text>
            </Row>
          )
        );
      })}
    </Names>
  </Panel>
);

/** A link, unless the address begins with a placeholder. */
const Destination = ({ address }: { address: string }) => {
  const href = webAddress(address.trim());
  if (!href) return address;
  return (
    <Address href={href} target="_blank" rel="noreferrer">
      {address}
    </Address>
  );
};
