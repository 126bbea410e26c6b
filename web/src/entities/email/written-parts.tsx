import { chakra } from '@chakra-ui/react';
import { PARTS, type Part } from '#shared/email/content.ts';
import { webAddress } from '#shared/email/web-address.ts';
import { Panel } from '#web/components/panel.tsx';
import { WithHelpTip } from '#web/components/tooltip.tsx';
import { type Draft, PART_TEXTS } from './parts.ts';

const Names = chakra('dl', { base: { px: '4', py: '1', '& > div + div': { borderTopWidth: '1px' } } });
const PartName = chakra('dt', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: '18px' } });
const Text = chakra('dd', {
  base: { mt: '0.5', lineHeight: '20px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
});
const Address = chakra('a', {
  base: { textDecoration: 'underline', textDecorationColor: 'border.emphasized' },
});
const Row = chakra('div', { base: { py: '2.5' } });

type Props = {
  texts: Draft;
  /** Undefined if it is not known. */
  language?: string;
};

/** The source of the parts of an email. */
export const WrittenParts = ({ texts, language }: Props) => (
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
