import { Box } from '@chakra-ui/react';
import { use, useMemo } from 'react';
import { safeDocument } from './email-frame.tsx';
import { columnsIn, contentOf, renderer, sampleOf, sampleReader, unsubscribeWord } from './email-preview.tsx';
import type { Draft } from './parts.tsx';

/** In pixels: the width of an email on a phone, and of the picture of it. */
const EMAIL = 320;
export const THUMBNAIL = { width: 112, height: 84 };

type Props = { content: Draft; language: string };

/** The beginning of an email, as a picture: it cannot be focused, and screen readers do not read it. */
export default function RenderedThumbnail({ content, language }: Props) {
  const { compose, fill } = use(renderer);
  const html = useMemo(() => {
    const email = compose(contentOf(content), { language, unsubscribeWord: unsubscribeWord(language) });
    const samples = Object.fromEntries(columnsIn(content).map(name => [name, sampleOf(name)]));
    return safeDocument(fill(email, sampleReader(samples, language)).html, 'light', false);
  }, [compose, fill, content, language]);
  const scale = THUMBNAIL.width / EMAIL;
  return (
    <Box inert aria-hidden>
      <iframe
        title="Email"
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={html}
        style={{
          width: EMAIL,
          height: THUMBNAIL.height / scale,
          transform: `scale(${scale})`,
          transformOrigin: '0 0',
          colorScheme: 'light',
        }}
      />
    </Box>
  );
}
