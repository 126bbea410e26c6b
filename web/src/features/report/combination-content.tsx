import { Box, List } from '@chakra-ui/react';
import { PARTS, type Part } from '#shared/email/content.ts';
import type { CombinationReport } from '#shared/reporting.ts';
import { TextLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Section } from '#web/components/section.tsx';
import { EmailAndMore } from '#web/entities/email/email-and-more.tsx';
import { partsOf, WrittenParts } from '#web/entities/email/parts.tsx';
import { paths } from '#web/lib/paths.ts';

/** The content of the emails; undefined while it is loading. */
export const CombinationContent = ({ report }: { report: CombinationReport | undefined }) => (
  <Section title="Email Content">
    {report ? (
      <EmailAndMore
        email={{
          content: partsOf(report.combination),
          language: 'en',
          written: { name: 'Parts', panel: <WrittenParts texts={report.combination} /> },
        }}
      >
        <Origin report={report} />
      </EmailAndMore>
    ) : (
      <EmailAndMore email={undefined}>
        <Loading shape={['line', 'line', 'line']} />
      </EmailAndMore>
    )}
  </Section>
);

/** Links to the source of the texts. Deleted content has no page. */
function Origin({ report: { type, combination } }: { report: CombinationReport }) {
  const { template_id, template_name, asset_ids, asset_names, is_deleted } = combination;
  if (type === 'template') {
    return (
      <Box fontSize="sm" overflowWrap="anywhere">
        {is_deleted || template_id === null ? (
          'The template is deleted. Its texts stay here.'
        ) : (
          <>
            From the template <TextLink to={paths.emailTemplate(template_id)}>{template_name}</TextLink>
          </>
        )}
      </Box>
    );
  }
  return (
    <Box fontSize="sm">
      {is_deleted && <Box mb="2">One of the assets is deleted, or all. Their texts stay here.</Box>}
      From the assets
      <List.Root as="ul" ps="5" listStyleType="disc">
        {Object.entries(PARTS).map(([part, name]) => {
          const asset = asset_ids[part as Part];
          return (
            asset && (
              <List.Item key={part}>
                <TextLink to={paths.emailAsset(asset)}>{name}</TextLink>{' '}
                <bdi>{asset_names[part as Part]}</bdi>
              </List.Item>
            )
          );
        })}
      </List.Root>
    </Box>
  );
}
