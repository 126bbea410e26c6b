import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import Toaster from '../../components/toaster.tsx';
import { UnsavedChanges } from '../../components/unsaved-changes.tsx';
import { ControlPieces } from './control-pieces.tsx';
import { DialogPieces } from './dialog-pieces.tsx';
import { EmailPieces } from './email-pieces.tsx';
import { FormPieces } from './form-pieces.tsx';
import { MessagePieces } from './message-pieces.tsx';
import { TablePieces } from './table-pieces.tsx';

const THEMES = { System: 'light dark', Light: 'light', Dark: 'dark' };

/** The shared components in all their states, to look at and to test. Only the local stack serves this page. */
export function Pieces() {
  return (
    <Box as="main" maxWidth="1040px" mx="auto" px={{ base: '4', md: '8' }} py="6">
      <Page title="Pieces" actions={<ThemeChoice />}>
        <ControlPieces />
        <MessagePieces />
        <TablePieces />
        <FormPieces />
        <DialogPieces />
        <EmailPieces />
      </Page>
      <Toaster />
      <UnsavedChanges />
    </Box>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState('System');
  return Object.entries(THEMES).map(([name, scheme]) => (
    <Button
      key={name}
      variant={name === theme ? 'solid' : 'outline'}
      aria-pressed={name === theme}
      onClick={() => {
        document.documentElement.style.colorScheme = scheme;
        setTheme(name);
      }}
    >
      {name}
    </Button>
  ));
}
