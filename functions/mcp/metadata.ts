import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { PRODUCT } from '#shared/brand.ts';
import { ASSISTANT_SCOPES, OAUTH_PATHS } from '#shared/connection.ts';
import { methodRefusal } from '../http/response.ts';
import { env } from '../platform/aws.ts';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/** What the tools are, and who gives access to them: https://www.rfc-editor.org/rfc/rfc9728 */
const resource = (site: string) => ({
  resource: site + OAUTH_PATHS.resource,
  resource_name: PRODUCT,
  authorization_servers: [site],
  scopes_supported: ASSISTANT_SCOPES,
});

/** How an assistant is connected: https://www.rfc-editor.org/rfc/rfc8414 */
const server = (site: string) => ({
  issuer: site,
  authorization_endpoint: site + OAUTH_PATHS.authorize,
  token_endpoint: site + OAUTH_PATHS.token,
  revocation_endpoint: site + OAUTH_PATHS.revoke,
  scopes_supported: ASSISTANT_SCOPES,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});

/** A client looks for the document of the tools below their path too. */
const DOCUMENTS: Record<string, (site: string) => object> = {
  [RESOURCE]: resource,
  [RESOURCE + OAUTH_PATHS.resource]: resource,
  [SERVER]: server,
};

/** Answers whoever asks, by the address of the stage and not by the one that they call. */
export function metadata(method: string, path: string): APIGatewayProxyStructuredResultV2 {
  const document = Object.hasOwn(DOCUMENTS, path) ? DOCUMENTS[path] : undefined;
  if (!document) throw methodRefusal([]);
  if (method !== 'GET') throw methodRefusal([`GET ${path}`]);
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' },
    body: JSON.stringify(document(env('PUBLIC_URL'))),
  };
}

/** Where a client without a valid token learns how to get one. */
export const challenge = () =>
  `Bearer resource_metadata="${env('PUBLIC_URL')}${RESOURCE}${OAUTH_PATHS.resource}", scope="${ASSISTANT_SCOPES.join(' ')}"`;
