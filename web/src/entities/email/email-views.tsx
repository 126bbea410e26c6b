import { Box, Flex } from '@chakra-ui/react';
import { type ReactNode, useMemo, useState } from 'react';
import { Choices } from '#web/components/choices.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Preformatted } from '#web/components/preformatted.tsx';
import { Tabs } from '#web/components/tabs.tsx';
import { EmailFrame, type Scheme } from './email-frame.tsx';
import { useImageBytes } from './image-bytes.ts';

type Props = {
  html: string;
  text: string;
  sender?: ReactNode;
  /** The subject. Without it, the inbox entry is left out. */
  subject?: string;
  written?: { name: string; panel: ReactNode } | undefined;
};

/** On a computer an email fills the window, with the color of its page on both sides. */
const WIDTHS = { Desktop: '100%', Phone: '390px' };
const SCHEMES: Record<string, Scheme> = { Light: 'light', Dark: 'dark' };

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

export const Sender = ({ name, email }: { name: string; email: string }) => (
  <>
    <Box as="span" fontWeight="medium">
      {name}
    </Box>{' '}
    <Box as="span" color="fg.muted">
      {`<${email}>`}
    </Box>
  </>
);

function Size({ html, text }: { html: string; text: string }) {
  const { kilobytes, isCut } = useMemo(() => sizeOf(html, text), [html, text]);
  const { bytes, hasOthers } = useImageBytes(html);
  const isHeavy = bytes > MOST_IMAGES;
  return (
    <Box mt="2" fontSize="xs">
      <Box color={isCut ? 'fg.warning' : 'fg.muted'}>
        Size: {kilobytes} KB{isCut && '. Gmail cuts off emails whose HTML has more than 102 KB'}
      </Box>
      {bytes > 0 && (
        <Box color={isHeavy ? 'fg.warning' : 'fg.muted'}>
          Images: {KILOBYTES.format(bytes / KILOBYTE)} KB{hasOthers && ', without those of other sites'}
          {isHeavy && '. More than 200 KB load slowly on phones: save them smaller, or leave some out'}
        </Box>
      )}
    </Box>
  );
}

/** The third line, which follows the subject and an empty line. */
const snippetOf = (text: string) => text.split('\n')[2] ?? '';

function EmailLinks({ html }: { html: string }) {
  const links = useMemo(() => linksIn(html), [html]);
  if (links.length === 0) {
    return (
      <Box pt="3" color="fg.muted">
        This email has no links.
      </Box>
    );
  }
  return (
    <Box as="ul" aria-label="Links" pt="3" fontSize="sm" overflowWrap="anywhere">
      {links.map(({ text, address }) => (
        <Box as="li" key={`${text} ${address}`} py="1.5" borderBottomWidth="1px">
          <Box dir="auto">{text || 'A link without words'}</Box>
          {address ? (
            <Box fontFamily="mono" fontSize="xs" color="fg.muted">
              {address}
            </Box>
          ) : (
            <Box color="fg.warning" fontSize="xs">
              Leads nowhere: without a value, or with an address that is not safe.
            </Box>
          )}
        </Box>
      ))}
    </Box>
  );
}

const PlainText = ({ children }: { children: string }) => (
  <Preformatted
    label="Plain text"
    mt="3"
    p="4"
    maxHeight="min(640px, 55vh)"
    whiteSpace="pre-wrap"
    overflowWrap="anywhere"
    dir="auto"
  >
    {children}
  </Preformatted>
);

type ShownLink = {
  text: string;
  /** Undefined if the link has no target, since its address was not safe. */
  address: string | undefined;
};

function linksIn(html: string): ShownLink[] {
  const anchors = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a')];
  const links = anchors.map(anchor => ({
    text: anchor.textContent.replace(/\s+/g, ' ').trim(),
    address: anchor.getAttribute('href') ?? undefined,
  }));
  return [...new Map(links.map(link => [JSON.stringify([link.text, link.address]), link])).values()];
}

const KILOBYTE = 1_024;
const KILOBYTES = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
/** Gmail clips larger HTML. */
const MOST_HTML = 102 * KILOBYTE;

const MOST_IMAGES = 200 * KILOBYTE;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** The size of an email as it is sent, without headers, and whether Gmail would clip it. */
function sizeOf(html: string, text: string): { kilobytes: string; isCut: boolean } {
  const ofHtml = bytesOf(html);
  return { kilobytes: KILOBYTES.format((ofHtml + bytesOf(text)) / KILOBYTE), isCut: ofHtml > MOST_HTML };
}
