import { Box } from '@chakra-ui/react';
import { createPath, useLocation, useNavigation } from 'react-router';
import { Button } from '../components/button.tsx';
import { PageShape } from '../components/loading.tsx';
import { Notice } from '../components/notice.tsx';
import { useElapsed } from '../lib/timers.ts';

const SLOW_AFTER_MS = 8000;

/** Shown while the code of the next page is loaded, if that takes long. */
export function PageLoading() {
  const { location: next } = useNavigation();
  if (!next) return null;
  return (
    <>
      <Box
        role="status"
        aria-label="Loading the page"
        position="fixed"
        inset="0 0 auto"
        height="3px"
        zIndex="skip"
        bg="action"
        animation="appear 120ms 200ms backwards"
      />
      <Stalled key={next.key} path={createPath(next)} />
    </>
  );
}

/** Shown instead of the first page while its code is loaded. */
export function FirstPageLoading() {
  const here = useLocation();
  return (
    <>
      <PageShape />
      <Stalled path={createPath(here)} />
    </>
  );
}

/** Offers a reload after a while: the browser would wait for minutes, and a new request may get a response. */
function Stalled({ path }: { path: string }) {
  if (!useElapsed(SLOW_AFTER_MS)) return null;
  return (
    <Box
      position="fixed"
      inset="auto 16px 16px"
      mx="auto"
      maxWidth="520px"
      zIndex="skip"
      borderRadius="md"
      boxShadow="panel"
    >
      <Notice
        tone="warning"
        action={
          <Button variant="ghost" onClick={() => location.assign(path)}>
            Reload
          </Button>
        }
      >
        The page is taking long to load. The connection may be slow, or interrupted.
      </Notice>
    </Box>
  );
}
