import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import DOMPurify, { type Config } from 'dompurify';
import { useMemo, useState } from 'react';
import { Button } from '#web/components/button.tsx';

const Frame = chakra('iframe', {
  base: { display: 'block', maxWidth: 'full', mx: 'auto', bg: 'Canvas', transition: 'width 120ms' },
});

// Keeps the styles of an email. Removes everything that could ask for a password or imitate the app.
const PURIFY: Config = {
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true,
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    'form',
    'input',
    'button',
    'select',
    'option',
    'textarea',
    'dialog',
    'audio',
    'video',
    'source',
  ],
};

type Props = {
  html: string;
  /** The width of the frame in CSS; never wider than its container. */
  width: string;
  scheme: Scheme;
  title: string;
};

/** An email in isolation. Sanitizing, the sandbox and the content security policy would each suffice as a barrier. */
export function EmailFrame({ html, width, scheme, title }: Props) {
  const [allowed, setAllowed] = useState<string>();
  const images = allowed === html;
  const hasImages = useMemo(() => showsRemoteImages(html), [html]);
  const document = useMemo(() => safeDocument(html, scheme, images), [html, scheme, images]);
  return (
    <>
      {hasImages && !images && (
        <Flex wrap="wrap" align="center" justify="space-between" gap="2" mb="2" fontSize="sm">
          <Text color="fg.muted">
            Images are not loaded: their senders would see that you have opened this.
          </Text>
          <Button onClick={() => setAllowed(html)}>Load images</Button>
        </Flex>
      )}
      <Box overflow="hidden" borderWidth="1px" borderRadius="md">
        <Frame
          // A new frame is needed, as a frame keeps its initial policy.
          key={images ? 'with images' : 'without images'}
          title={title}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          srcDoc={document}
          style={{ width, maxWidth: '100%', height: HEIGHT, colorScheme: scheme }}
        />
      </Box>
    </>
  );
}

// A frame without scripts cannot report the height of its content, so it scrolls.
const HEIGHT = 'min(640px, 55vh)';

export function safeDocument(html: string, scheme: Scheme, images: boolean): string {
  const root = DOMPurify.sanitize(html, PURIFY) as unknown as HTMLElement;
  for (const style of root.querySelectorAll('style')) style.textContent = inScheme(style.textContent, scheme);
  root.querySelector('head')?.insertAdjacentHTML('afterbegin', headOf({ scheme, images }));
  return `<!doctype html>${root.outerHTML}`;
}

export type Scheme = 'light' | 'dark';

/** Uploaded images are the organization's own: loading them tells nobody anything. */
const OWN_FILES = globalThis.location ? `${location.origin}/files/` : '';

/** The beginning of the head of a shown email: blocks all other loading, and makes links open in a new tab. */
export function headOf({ scheme, images }: { scheme: Scheme; images: boolean }): string {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data: cid:${OWN_FILES && ` ${OWN_FILES}`}${images ? ' https:' : ''}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    '<base target="_blank">',
    `<style>:root{color-scheme:${scheme}!important}</style>`,
  ].join('');
}

/** The styles for a colour scheme, whatever the scheme of the app is: its media queries are resolved. */
export const inScheme = (styles: string, scheme: Scheme) =>
  styles.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, asked: string) =>
    asked.toLowerCase() === scheme ? '(min-width:0)' : '(max-width:0)',
  );

const REMOTE =
  /<img[^>]+\bsrc(?:set)?\s*=\s*["']?\s*(?:https:)?\/\/|\bbackground\s*=\s*["']?\s*(?:https:)?\/\/|url\(\s*["']?\s*(?:https:)?\/\//i;

export const showsRemoteImages = (html: string) =>
  REMOTE.test(OWN_FILES ? html.replaceAll(`src="${OWN_FILES}`, '') : html);
