import { Badge, Box, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import { Eye } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AutomationContent, LinkedAsset, LinkedTemplate } from '#shared/automation-content.ts';
import { PART_NAMES, PARTS, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Status } from '#web/components/status.tsx';
import { assetName, wordingPath } from '#web/entities/content/content.ts';
import { AND, formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';

type Props = {
  content: AutomationContent;
  automation: string;
  /** The ids of the content in the shown email, and of all content that can be shown. */
  shown: readonly string[];
  showable: ReadonlySet<string>;
  onShow: (id: string) => void;
};

export function ContentRows({ content, ...rest }: Props) {
  const { templates, assets, active, left_out } = content;
  const types = PART_NAMES.filter(
    type =>
      assets.some(asset => asset.type === type) ||
      (assets.length > 0 && !active.templates && isRequired(type)),
  );
  return (
    <>
      <Panel divideY="1px">
        {templates.length > 0 && (
          <Group
            title="Templates"
            count={activeText(templates, active.templates)}
            rows={templates}
            shown={rest.shown}
            row={template => (
              <Row
                key={template.id}
                {...rest}
                item={template}
                name={template.name}
                to={paths.emailTemplate(template.id)}
                text={template.subject_line}
              />
            )}
          />
        )}
        {types.map(type => {
          const rows = assets.filter(asset => asset.type === type);
          const isMissing = isRequired(type) && !active.assets[type] && !active.templates;
          return (
            <Group
              key={type}
              title={PARTS[type]}
              count={
                isMissing ? (
                  <Status tone="attention">{rows.length > 0 ? 'None is active' : 'Missing'}</Status>
                ) : (
                  activeText(rows, active.assets[type] ?? 0)
                )
              }
              rows={rows}
              shown={rest.shown}
              row={asset => (
                <Row
                  key={asset.id}
                  {...rest}
                  item={asset}
                  name={assetName(asset)}
                  to={paths.emailAsset(asset.id)}
                  text={asset.excerpt}
                />
              )}
            />
          );
        })}
      </Panel>
      {left_out > 0 && (
        <Text mt="2" fontSize="xs" color="fg.muted">
          {formatNumber(left_out)} more {left_out === 1 ? 'is' : 'are'} linked than are listed here.
        </Text>
      )}
    </>
  );
}

const isRequired = (type: Part) => (REQUIRED_PARTS as readonly string[]).includes(type);

/** "2 active, 1 inactive". */
export function activeText(items: readonly { is_active: boolean }[], active: number): string {
  const inactive = items.filter(({ is_active }) => !is_active).length;
  return [
    `${formatNumber(active)} active`,
    ...(inactive > 0 ? [`${formatNumber(inactive)} inactive`] : []),
  ].join(', ');
}

/** If there are more rows, only one is shown: that of the content in the email beside them. */
const MOST_ROWS = 3;

type Linked = LinkedTemplate | LinkedAsset;

type GroupProps<Item> = {
  title: string;
  count: ReactNode;
  rows: readonly Item[];
  shown: readonly string[];
  row: (item: Item) => ReactNode;
};

function Group<Item extends Linked>({ title, count, rows, shown, row }: GroupProps<Item>) {
  const [isWhole, setWhole] = useState(false);
  const [first] = rows;
  const one = rows.find(({ id }) => shown.includes(id)) ?? first;
  const isMany = rows.length > MOST_ROWS;
  const doubted = rows.filter(({ warnings }) => warnings.length > 0).length;
  return (
    <Box px="4" py="2.5">
      <Flex justify="space-between" gap="3" lineHeight="20px">
        <Text as="h3" fontSize="sm">
          {title}
        </Text>
        <Box as="span" color="fg.muted" flexShrink="0">
          {count}
        </Box>
      </Flex>
      {one && <ul>{(isWhole || !isMany ? rows : [one]).map(row)}</ul>}
      {isMany && (
        <Button variant="ghost" ml="-2" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${formatNumber(rows.length)}`}
          <VisuallyHidden>{` of ${title}`}</VisuallyHidden>
          {!isWhole && doubted > 0 && (
            <Box as="span" color="fg.warning" fontWeight="normal">
              {`${formatNumber(doubted)} with a warning`}
            </Box>
          )}
        </Button>
      )}
    </Box>
  );
}

type RowProps = Omit<Props, 'content'> & { item: Linked; name: string; to: string; text: string };

function Row({ item, name, to, text, automation, shown, showable, onShow }: RowProps) {
  const { id, is_active, columns, warnings } = item;
  const isShown = shown.includes(id);
  return (
    <Flex as="li" wrap="wrap" align="flex-start" columnGap="3" rowGap="1" py="1.5" lineHeight="20px">
      <Box flex="1 1 160px" minWidth="0" overflowWrap="anywhere">
        <TextLink to={to}>{name}</TextLink> {!is_active && <Badge>Inactive</Badge>}
        <Text color="fg.muted" lineClamp="1" dir="auto">
          {text}
        </Text>
        {columns && columns.length > 0 && warnings.length === 0 && (
          <Text color="fg.muted" fontSize="xs">
            {needsText(columns)}
          </Text>
        )}
        {columns && warnings.length > 0 && (
          <Text color="fg.warning" fontSize="xs">
            {columns.length > 0 && `${needsText(columns)}. `}
            {warnings.join(' ')}
          </Text>
        )}
      </Box>
      <Flex wrap="wrap" ms="auto" flexShrink="0" gap="1">
        {showable.has(id) && (
          <Button
            variant={isShown ? 'outline' : 'ghost'}
            aria-label={isShown ? `Shown: ${name}` : `Show ${name}`}
            onClick={() => onShow(id)}
          >
            <Eye aria-hidden />
            {isShown ? 'Shown' : 'Show'}
          </Button>
        )}
        <ButtonLink
          variant="ghost"
          to={wordingPath(to, { automation })}
          right="content:edit"
          aria-label={`Edit wording of ${name}`}
        >
          Edit wording
        </ButtonLink>
      </Flex>
    </Flex>
  );
}

export const needsText = (columns: readonly string[]) => `Needs ${AND.format(columns)}`;
