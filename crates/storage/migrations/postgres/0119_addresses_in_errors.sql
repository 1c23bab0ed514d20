-- What a mail server answered to a mail that it refused, in which many repeat the address: it stayed with the job after the account was
-- closed or the invitation withdrawn. Later versions take the address out before it is stored.
UPDATE jobs SET last_error = 'a mail could not be sent: the mail server refused the mail'
WHERE last_error LIKE 'a mail could not be sent%@%';
