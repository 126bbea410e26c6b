import { Box, Button as ChakraButton, FileUpload, Flex, Progress, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { MemberImport } from '#shared/member-import.ts';
import { Button } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { formatNumber, plural } from '#web/lib/format.ts';
import { messageOf } from '#web/lib/problem.ts';
import type { ReadFile } from './reading/csv.ts';
import { openReader, type Reader } from './reading/reader.ts';

type Props = {
  chosen: Pick<ReturnType<typeof useFile>, 'reading' | 'file' | 'error'>;
  choose: (file: File) => Promise<void>;
  reset: () => void;
  isActive: boolean;
  /** An unfinished import that was begun with another file of this name. */
  changed: MemberImport | undefined;
};

export const ChooseFile = ({ chosen: { reading, file, error }, isActive, changed, choose, reset }: Props) => (
  <Section title="File">
    {file ? (
      <Panel p="4">
        <Flex wrap="wrap" align="center" justify="space-between" gap="3">
          <Box minWidth="0" overflowWrap="anywhere">
            <strong>{file.name}</strong>
            <Text color="fg.muted">{factsOf(file)}</Text>
          </Box>
          {!isActive && <Button onClick={reset}>Choose another file</Button>}
        </Flex>
      </Panel>
    ) : (
      <FileUpload.Root
        acceptedFiles={[]}
        preventDocumentDrop
        onFileChange={({ acceptedFiles: [picked] }) => picked && void choose(picked)}
      >
        <FileUpload.HiddenInput accept=".csv,.tsv,.txt,text/csv" aria-label="Choose a file" />
        <FileUpload.Dropzone disableClick role="group" aria-label="File" tabIndex={undefined} width="full">
          <Panel p="4" width="full">
            {reading ? (
              <Progress.Root
                data-reading
                tabIndex={-1}
                value={reading.share * 100}
                aria-label={`Reading ${reading.name}`}
              >
                <Progress.Label>Reading {reading.name}...</Progress.Label>
                <Progress.Track>
                  <Progress.Range />
                </Progress.Track>
              </Progress.Root>
            ) : (
              <Flex wrap="wrap" align="center" gap="3">
                <FileUpload.Trigger asChild>
                  <ChakraButton variant="solid">Choose a file</ChakraButton>
                </FileUpload.Trigger>
                <Text color="fg.muted" flex="1 1 240px">
                  or drop it here: CSV with a column of email addresses, up to 100 MB. Nothing is stored
                  before you have seen what will happen.
                </Text>
              </Flex>
            )}
          </Panel>
        </FileUpload.Dropzone>
      </FileUpload.Root>
    )}
    {changed && (
      <Notice tone="warning" mt="3">
        This is not the {changed.file_name} of which {plural(changed.done_rows, 'row')}{' '}
        {changed.done_rows === 1 ? 'is' : 'are'} imported: it has changed since. To continue that import,
        choose the file as it was; what follows here is a new one.
      </Notice>
    )}
    {error && (
      <Notice tone="error" mt="3">
        {error}
      </Notice>
    )}
  </Section>
);

const DELIMITERS: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

const factsOf = ({ rows, columns, delimiter, encoding, hasHeader }: ReadFile) =>
  [
    plural(rows, 'row'),
    plural(columns.length, 'column'),
    `separated by ${DELIMITERS[delimiter] ?? 'commas'}`,
    encoding.toUpperCase().replace('WINDOWS', 'Windows').replace(/LE|BE/, ''),
    ...(hasHeader ? [] : ['without a header']),
  ].join(', ');

/** The row number in a spreadsheet, if the file has no empty rows. */
export const shownRow = (row: number, { hasHeader }: Pick<ReadFile, 'hasHeader'>) =>
  formatNumber(hasHeader ? row + 1 : row);

export function useFile() {
  const reader = useRef<Reader>(undefined);
  const [reading, setReading] = useState<{ name: string; share: number }>();
  const [file, setFile] = useState<ReadFile>();
  const [error, setError] = useState<string>();

  useEffect(() => () => reader.current?.close(), []);

  /**
   * Returns what was detected in a file, with what is known of it, without which it is not shown; undefined if it could not be
   * read, or if another file was chosen meanwhile.
   */
  async function read<Known>(chosen: File, asked: Promise<Known>) {
    const opened = openReader();
    reader.current = opened;
    setReading({ name: chosen.name, share: 0 });
    try {
      const found = await opened.ask('read', chosen, share => setReading({ name: chosen.name, share }));
      const known = await asked;
      if (reader.current !== opened) return undefined;
      setFile(found);
      return { file: found, known };
    } catch (problem) {
      if (reader.current === opened) setError(messageOf(problem));
      return undefined;
    } finally {
      if (reader.current === opened) setReading(undefined);
    }
  }

  function close() {
    reader.current?.close();
    reader.current = undefined;
    setFile(undefined);
    setReading(undefined);
    setError(undefined);
  }

  return { reader, reading, file, error, setError, read, close };
}
