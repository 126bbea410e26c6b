import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useMemo, useState } from 'react';
import { Panel } from '#web/components/panel.tsx';
import { Tabs } from '#web/components/tabs.tsx';
import { Choices } from './choices.tsx';
import type { Scheme } from './email-document.ts';
import { sizeOf } from './email-facts.ts';
import { EmailFrame } from './email-frame.tsx';
import { EmailLinks } from './email-links.tsx';
import { PlainText } from './plain-text.tsx';

type Props = {
  html: string;
  text: string;
  /** The sender, as an inbox shows it. */
  sender?: ReactNode;
  /** The subject. Without it, the inbox entry is left out. */
  subject?: string;
  /** A last tab with the source of the content. */
  written?: { name: string; panel: ReactNode } | undefined;
};

const WIDTHS = { Desktop: 600, Phone: 390 };
const SCHEMES: Record<string, Scheme> = { Light: 'light', Dark: 'dark' };

/** An email: its inbox entry, and its HTML and text versions. */
export function EmailViews({ html, text, sender, subject, written }: Props) {
  const [width, setWidth] = useState(WIDTHS.Desktop);
  const [scheme, setScheme] = useState<Scheme>('light');
  return (
    <>
      {subject !== undefined && (
        // As wide as the inbox on a phone, which cuts off longer text.
        <Panel mb="3" px="4" py="2.5" maxWidth="390px" role="group" aria-label="In an inbox">
          {sender && <Box truncate>{sender}</Box>}
          <Box fontWeight="semibold" dir="auto" truncate title={subject}>
            {subject}
          </Box>
          <Box minHeight="20px" color="fg.muted" dir="auto" truncate title={snippetOf(text)}>
            {snippetOf(text)}
          </Box>
        </Panel>
      )}
      <Tabs
        label="Versions"
        tabs={[
          {
            name: 'HTML View',
            panel: (
              <Box pt="3">
                <Flex wrap="wrap" gap="3" mb="3">
                  <Choices label="Width" choices={WIDTHS} value={width} onChange={setWidth} />
                  <Choices label="Colors" choices={SCHEMES} value={scheme} onChange={setScheme} />
                </Flex>
                <EmailFrame html={html} width={width} scheme={scheme} title="Email preview" />
              </Box>
            ),
          },
          { name: 'Plain Text View', panel: <PlainText>{text}</PlainText> },
          { name: 'Links', panel: <EmailLinks html={html} /> },
          ...(written ? [{ name: written.name, panel: <Box pt="3">{written.panel}</Box> }] : []),
        ]}
      />
      <Size html={html} text={text} />
    </>
  );
}

function Size({ html, text }: { html: string; text: string }) {
  const { kilobytes, isCut } = useMemo(() => sizeOf(html, text), [html, text]);
  return (
    <Box mt="2" fontSize="xs" color={isCut ? 'fg.warning' : 'fg.muted'}>
      Size: {kilobytes} KB{isCut && '. Gmail cuts off emails whose HTML has more than 102 KB'}
    </Box>
  );
}

/** The third line, which follows the subject and an empty line. */
const snippetOf = (text: string) => text.split('\n')[2] ?? '';
