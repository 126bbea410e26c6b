import { Box, chakra, Grid, Stack, Text } from '@chakra-ui/react';
import { createElement, type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import sections from '#docs/help.md';
import { TextLink } from '#web/components/button.tsx';
import { Page } from '#web/components/page.tsx';
import type { HelpText } from '#web/lib/help.ts';

/** The text of docs/help.md. An address with the id of a section leads there. */
export function HelpPage() {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link to the same section leads there again
  useEffect(() => {
    const heading = document.getElementById(hash.slice(1));
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  }, [hash, key]);

  return (
    <Page title="Help">
      <Grid templateColumns={{ base: '1fr', lg: '200px minmax(0, 68ch)' }} gap="8" alignItems="start">
        <Stack as="nav" aria-label="Contents" gap="1" position={{ lg: 'sticky' }} top="6" fontSize="sm">
          {sections.map(({ id, title, isChapter }) => (
            <TextLink key={id} to={`#${id}`} {...(isChapter ? CHAPTER : { ps: '3' })}>
              {title}
            </TextLink>
          ))}
        </Stack>
        <Prose>
          {sections.map(({ id, title, isChapter, text }) => (
            <section key={id}>
              <Box as={isChapter ? 'h2' : 'h3'} id={id} tabIndex={-1} scrollMarginTop="4">
                {title}
              </Box>
              {text.map(elementOf)}
            </section>
          ))}
          <Text color="fg.muted">Ctrl K finds a word in this help from every page.</Text>
        </Prose>
      </Grid>
    </Page>
  );
}

const CHAPTER = { fontWeight: 'medium', mt: '2' } as const;

const Prose = chakra('div', {
  base: {
    fontSize: 'md',
    lineHeight: '24px',
    '& h2': { mt: '8', mb: '2', fontSize: 'lg', lineHeight: '28px' },
    '& > section:first-of-type h2': { mt: '0' },
    '& h3': { mt: '5', mb: '1', fontWeight: 'semibold' },
    '& p': { mb: '3' },
    '& strong': { fontWeight: 'semibold' },
    '& code': { fontFamily: 'mono', fontSize: 'sm', overflowWrap: 'anywhere' },
  },
});

function elementOf(text: HelpText, place: number): ReactNode {
  if (typeof text === 'string') return text;
  const [tag, ...content] = text;
  return createElement(tag, { key: place }, ...content.map(elementOf));
}
