//! How the values of some settings are written.

use std::net::IpAddr;

use ipnet::IpNet;

/// Addresses and networks, separated by commas, with or without spaces; an address is a network of its own.
pub(crate) fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let read = |part: &str| part.parse().or_else(|_| part.parse::<IpAddr>().map(IpNet::from));
    parts.map(|part| read(part).map_err(|_| format!("{part} is neither an address nor a network"))).collect()
}

/// A line with something in it, without the spaces around it.
pub(crate) fn one_line(text: &str) -> Result<String, &'static str> {
    let line = text.trim();
    if line.is_empty() || line.chars().any(char::is_control) {
        return Err("must be one line with a character in it");
    }
    Ok(line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_network_of_its_own() {
        let read = |text| networks(text).map(|found| found.iter().map(IpNet::to_string).collect::<Vec<_>>());
        assert_eq!(read("127.0.0.1"), Ok(vec!["127.0.0.1/32".to_owned()]));
        let several = ["10.0.0.0/8", "::1/128", "fd00::/8"].map(str::to_owned);
        assert_eq!(read(" 10.0.0.0/8 ,::1,, fd00::/8,"), Ok(several.to_vec()));
        assert_eq!(read(" "), Ok(vec![]));
        for (wrong, said) in [("everybody", "everybody"), ("::1,10.0.0.0/99", "10.0.0.0/99"), ("1 2", "1 2")]
        {
            assert_eq!(read(wrong), Err(format!("{said} is neither an address nor a network")));
        }
    }
}
